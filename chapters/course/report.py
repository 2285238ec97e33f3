"""Shows a grade report in a terminal, readable with and without colour."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from chapters.course.manifest import Chapter

STYLE = {"passed": "green", "not attempted": "dim"}


def show(report: dict, chapter: Chapter, console: Console | None = None) -> None:
    """Print points, what failed, why, and what to open next."""
    console = console or Console(highlight=False, soft_wrap=True)
    points = f"{report['points']}/{report['out_of']}"
    if all(task["status"] == "not attempted" for task in report["tasks"]):
        first = chapter.tasks[0]
        where = f"{report['graded']}/{first.file}"
        console.print(f"{points}: nothing attempted yet, start with Task {first.id} in {where}")
        return
    console.print(f"\nChapter {chapter.number}: {chapter.title} ({report['graded']})\n")
    for task in report["tasks"]:
        _show_task(task, console)
    console.print(f"\n{points} points", style="bold")
    _show_next(report, chapter, console)


def _show_task(task: dict, console: Console) -> None:
    failed = [check for check in task["checks"] if not check["passed"]]
    counts = f"{len(task['checks']) - len(failed)} of {len(task['checks'])} checks"
    status = task["status"] + (f", {counts}" if task["checks"] else "")
    line = Text(f"  {task['id']}  {task['title']:<58} {task['points']:>3}/{task['out_of']:<3} ")
    line.append(status, style=STYLE.get(task["status"], "bold red"))
    console.print(line)
    for check in failed:
        console.print(Text(f"\n       FAILED  {check['title']}", style="red"))
        for message in check["message"].splitlines():
            console.print(Text(f"               {message}"))
    if failed:
        console.print(Text(f"\n       hint: {task['hint']}\n"))


def _show_next(report: dict, chapter: Chapter, console: Console) -> None:
    """What to do now: one line."""
    for task, told in zip(chapter.tasks, report["tasks"], strict=True):
        if told["status"] != "passed":
            console.print(f"next: Task {task.id} in {report['graded']}/{task.file}")
            return
    console.print(f"all of chapter {chapter.number}; run it: make serve-chapter-{chapter.number}")
