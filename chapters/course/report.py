"""Shows a grade report in a terminal, readable with and without colour."""

from __future__ import annotations

import re

from rich.console import Console
from rich.text import Text

from chapters.course.manifest import Chapter

STYLE = {"passed": "green", "not attempted": "dim"}


class Screen:
    """Prints points, what failed, why, and what to open next; each task when it is graded.

    graded: the folder, as a person would type it.
    """

    def __init__(self, chapter: Chapter, graded: str, console: Console | None = None):
        self.chapter, self.graded = chapter, graded
        self.console = console or Console(highlight=False, soft_wrap=True)
        self.begun = False
        self.waiting = []  # tasks not attempted, until one is

    def task(self, task) -> None:
        """Show one `TaskReport`; those not attempted wait until there is an attempt to show."""
        self.waiting.append(task)
        if self.begun or task.status != "not attempted":
            self._begin()
            while self.waiting:
                self._show(self.waiting.pop(0))

    def end(self, report: dict) -> None:
        """Show the sum and the next step."""
        points = f"{report['points']}/{report['out_of']}"
        if not self.begun:
            first = self.chapter.tasks[0]
            where = f"{self.graded}/{first.file}"
            line = f"{points}: nothing attempted yet, start with Task {first.id} in {where}"
            return self.console.print(line)
        self.console.print(f"\n{points} points", style="bold")
        self._show_next(report)

    def _begin(self) -> None:
        if not self.begun:
            title = f"Chapter {self.chapter.number}: {self.chapter.title}"
            self.console.print(f"\n{title} ({self.graded})\n")
        self.begun = True

    def _show(self, task) -> None:
        failed = [check for check in task.checks if not check.passed]
        counts = f"{len(task.checks) - len(failed)} of {len(task.checks)} checks passed"
        status = task.status + (f", {counts}" if task.checks else "")
        line = Text(f"  {task.id}  {task.title:<58} {task.points:>3}/{task.out_of:<3} ")
        line.append(status, style=STYLE.get(task.status, "bold red"))
        self.console.print(line)
        faults = {}
        for check in failed:
            faults.setdefault(_fault(check.message), []).append(check)
        for checks in faults.values():
            self.console.print()
            for check in checks:
                self.console.print(Text(f"       FAILED  {check.title}", style="red"))
            for text in checks[0].message.splitlines():
                self.console.print(Text(f"               {text}"))
        for note in task.notes:
            self.console.print(Text(f"       note: {note}"))
        if failed:
            self.console.print(Text(f"\n       hint: {task.hint}\n"))

    def _show_next(self, report: dict) -> None:
        number = self.chapter.number
        for task, told in zip(self.chapter.tasks, report["tasks"], strict=True):
            if told["status"] != "passed":
                line = f"next: Task {task.id} in {self.graded}/{task.file}"
                return self.console.print(line)
        self.console.print(f"all of chapter {number}; run it: make serve-chapter-{number}")


def _fault(message: str) -> str:
    """What tells one fault from another: what was raised and where, or else all of the message."""
    raised = re.search(r"^raised .+?(?=^printed |\Z)", message, re.MULTILINE | re.DOTALL)
    return raised[0] if raised else message
