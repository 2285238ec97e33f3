"""`make flakes`: the graded checks on the reference, 50 times over, while both cores are busy.

A check that fails here once would fail some student's right answer some day. For maintainers: it
takes about half an hour; `TIMES=5` is a quick look.
"""

from __future__ import annotations

import multiprocessing
import os

from rich.console import Console
from rich.progress import track

from chapters.course.grade import grade
from chapters.course.manifest import course
from chapters.course.paths import SOLUTIONS
from chapters.course.settings import Settings

TIMES = 50


def main(settings: Settings, _: str | None = None) -> int:
    """Grade all chapters TIMES times beside as many busy processes as there are cores."""
    times = settings.times or TIMES
    console = Console(highlight=False)
    noise = [multiprocessing.Process(target=_busy, daemon=True) for _ in range(os.cpu_count() or 2)]
    [process.start() for process in noise]
    failures = []
    try:
        for _ in track(range(times), "loaded runs", console=console):
            for chapter in course().values():
                failures += _failures(grade(chapter, SOLUTIONS / chapter.name))
    finally:
        [process.terminate() for process in noise]
    for failure in failures:
        console.print(failure)
    console.print(f"{times} loaded runs of {len(course())} chapters: {len(failures)} failures")
    return 1 if failures else 0


def _failures(report: dict) -> list[str]:
    return [
        f"{task['id']} {check['name']}: {check['message']}"
        for task in report["tasks"]
        for check in task["checks"]
        if not check["passed"]
    ]


def _busy() -> None:
    """Keep a core busy, as other work on a student's laptop does."""
    while True:
        sum(range(100_000))
