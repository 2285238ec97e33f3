"""`make reset-chapter-N`: the exercise files as they were given; what they held is kept."""

from __future__ import annotations

import shutil
from datetime import datetime

from chapters.course import hints
from chapters.course.grade import chosen
from chapters.course.paths import BACKUPS, shown
from chapters.course.settings import Settings
from chapters.course.stubs import stub


def main(_: Settings, number: str | None) -> int:
    """Put a chapter's stubs back and say where the files that they replace have gone."""
    chapter = chosen(number)
    fresh = {task.file: stub(chapter, task) for task in chapter.tasks}
    changed = [file for file, text in fresh.items() if _read(chapter.folder / file) != text]
    if not changed:
        print(f"Chapter {chapter.number} is as it was given; nothing to reset.")
        return 0
    backup = BACKUPS / f"{chapter.name}-{datetime.now():%Y-%m-%d-%H%M%S-%f}"
    backup.mkdir(parents=True)
    for file in changed:
        if (chapter.folder / file).exists():
            shutil.copy2(chapter.folder / file, backup / file)
        (chapter.folder / file).write_text(fresh[file], "utf-8")
    hints.forget([task.id for task in chapter.tasks])
    print(f"Reset {', '.join(changed)} in {shown(chapter.folder)}.")
    print(f"What they held is in {shown(backup)}.")
    return 0


def _read(path) -> str | None:
    return path.read_text("utf-8", errors="replace") if path.exists() else None
