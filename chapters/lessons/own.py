"""The exercise files of a chapter inside the notebook: for parts that take values and give values.

Whose they are, `use` says, as for the servers. Each call reads the files anew.
"""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace

from chapters.course import graft
from chapters.course.manifest import course, up_to
from chapters.lessons.running import own_tasks


def layer(chapter: int) -> SimpleNamespace:
    """The exercise files up to this chapter, as modules: `layer(2).registry.Registry`.

    Of two files with the same name, the later chapter's. `whose` says whose they are, in words.
    """
    last, tasks = course()[chapter], own_tasks(chapter)
    graft.install(graft.references(last, own=tasks))
    found = {
        task.stem: import_module(one.module(task)) for one in up_to(last) for task in one.tasks
    }
    whose = f"tasks {', '.join(tasks)} yours, the rest reference" if tasks else "the reference's"
    return SimpleNamespace(**found, whose=f"chapter {chapter}, {whose}")
