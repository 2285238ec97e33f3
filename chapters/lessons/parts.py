"""One exercise file by itself, for a lesson that tries it without a server."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from chapters.course import graft
from chapters.course.manifest import course
from chapters.lessons import running


def part(task: str) -> tuple[ModuleType, str]:
    """The module of one task's file, such as "4.4", read anew; and whose it is, in words.

    The switch is that of the servers, `use`: the student's own if it passes, or always this or
    that one. A file that was changed is seen by calling this again.
    """
    chapter = course()[int(task.partition(".")[0])]
    own = [task] if task in running._mine(chapter.number) else []
    graft.install(graft.references(chapter, own=own))
    file = next(t for t in chapter.tasks if t.id == task)
    whose = f"your task {task}" if own else f"the reference's task {task}"
    return import_module(chapter.module(file)), whose
