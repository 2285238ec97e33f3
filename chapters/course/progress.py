"""`make progress`: the points so far, graded now."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from chapters.course.grade import grade
from chapters.course.manifest import course
from chapters.course.settings import Settings


def main(settings: Settings, _: str | None = None) -> int:
    """Grade every chapter as it stands and show a row for each task."""
    table = Table("task", "", "points", "state", "minutes", box=None, pad_edge=False)
    total = out_of = 0
    for chapter in course().values():
        report = grade(chapter, chapter.folder, mine=settings.on == "mine")
        total, out_of = total + report["points"], out_of + report["out_of"]
        table.add_row(f"[bold]{chapter.number}[/]", f"[bold]{chapter.title}[/]")
        for task, told in zip(chapter.tasks, report["tasks"], strict=True):
            points = f"{told['points']}/{told['out_of']}"
            table.add_row(task.id, task.title, points, told["status"], str(task.minutes))
    console = Console(highlight=False)
    console.print(table)
    console.print(f"\n{total}/{out_of} points")
    return 0
