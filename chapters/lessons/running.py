"""Starts a chapter's server for a lesson, and runs the checks from it.

One switch, `use`, says whose layer the experiments run on: the student's own as soon as it
passes, or always the one or the other.
"""

from __future__ import annotations

from rich.console import Console

from chapters.course import graft
from chapters.course.grade import chosen, grade, grade_task
from chapters.course.live import LiveServer
from chapters.course.manifest import Chapter, course
from chapters.course.report import Screen
from chapters.course.stubs import attempted

CHOICES = ("passing", "mine", "reference")
_whose = "passing"
_graded: dict[int, tuple] = {}  # chapter → its files when it was graded, and what passed


def use(whose: str) -> None:
    """Whose exercise files the servers of the lessons are made of, from now on.

    "passing": those of the student's tasks that get full marks, else the reference's.
    "mine": the student's, finished or not. "reference": always the reference's.
    """
    global _whose
    if whose not in CHOICES:
        raise ValueError(f"whose must be one of {', '.join(CHOICES)}, not {whose!r}")
    _whose = whose


def serve(chapter: int, **settings) -> LiveServer:
    """A chapter's server in a process of its own, on a free port; use it in a `with` block.

    settings: as `LiveServer` has them: model, gated, pace, threads, wrong. A wrong answer always
    stands in the reference.
    """
    return LiveServer(chapter, mine=() if settings.get("wrong") else own_tasks(chapter), **settings)


def own_tasks(chapter: int) -> list[str]:
    """The ids of the tasks that run from the student's own files, as `use` was told."""
    if _whose == "reference":
        return []
    if _whose == "passing":
        return _passing(chapter)
    return [task.id for task in course()[chapter].tasks]


def _passing(chapter: int) -> list[str]:
    """As `passing` says; graded anew only when a file of the chapter has changed."""
    found = course()[chapter]
    paths = [found.folder / task.file for task in found.tasks]
    files = tuple(path.read_bytes() if path.is_file() else None for path in paths)
    if _graded.get(chapter, (None,))[0] != files:
        _graded[chapter] = files, passing(found)
    return _graded[chapter][1]


def passing(chapter: Chapter) -> list[str]:
    """The ids of the chapter's tasks whose file in `chapters/` gets full marks. Takes seconds."""
    own = {task.id: graft.Implementation(chapter.folder / task.file) for task in chapter.tasks}
    files = graft.references(chapter)
    return [
        task.id
        for task in chapter.tasks[:-1]
        if attempted(chapter, task, own[task.id].path)
        and grade_task(chapter, task, own, files).status == "passed"
    ]


def check(chapter: int) -> None:
    """Grade the student's chapter, as `make test-chapter-N` does, and show the report here."""
    found = chosen(str(chapter))
    plain = Console(highlight=False, soft_wrap=True, width=100, force_jupyter=False)
    screen = Screen(found, f"chapters/{found.name}", plain)
    screen.end(grade(found, found.folder, tell=screen.task))
