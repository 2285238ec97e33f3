"""`make hint-N.K`: a nudge first, an idea when asked again, then nearly the code."""

from __future__ import annotations

import json
import os

from chapters.course.manifest import course, find_task
from chapters.course.paths import CACHE
from chapters.course.settings import Settings, UserError

SHOWN = CACHE / "hints.json"  # task id → how many of its hints have been shown


def main(_: Settings, task_id: str | None) -> int:
    """Show the hints of a task so far, and one more."""
    found = find_task(task_id or "")
    if found is None:
        ids = ", ".join(task.id for chapter in course().values() for task in chapter.tasks)
        raise UserError(f"There is no Task {task_id}; there are: {ids}.")
    _, task = found
    shown = _read()
    count = min(shown.get(task.id, 0) + 1, len(task.hints))
    print(f"\nTask {task.id}: {task.title}")
    for number, hint in enumerate(task.hints[:count], 1):
        print(f"\n  {number}. {hint}")
    left = len(task.hints) - count
    print(f"\n{left} more: make hint-{task.id} again" if left else "\nThat was the last one.")
    _write({**shown, task.id: count})
    return 0


def forget(task_ids: list[str]) -> None:
    """Begin with the nudge again, for these tasks."""
    _write({task_id: count for task_id, count in _read().items() if task_id not in task_ids})


def _read() -> dict[str, int]:
    try:
        return json.loads(SHOWN.read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def _write(shown: dict[str, int]) -> None:
    SHOWN.parent.mkdir(parents=True, exist_ok=True)
    fresh = SHOWN.with_suffix(".new")
    fresh.write_text(json.dumps(shown), "utf-8")
    os.replace(fresh, SHOWN)
