"""`make reset-chapter-N`: the chapter's files as they were given; what they held is kept."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

from chapters.course import hints
from chapters.course.grade import chosen
from chapters.course.manifest import Chapter
from chapters.course.paths import BACKUPS, shown
from chapters.course.settings import Settings, UserError
from chapters.course.stubs import stub


def main(_: Settings, number: str | None) -> int:
    """Put a chapter's stubs back and say where the files that they replace have gone."""
    chapter = chosen(number)
    fresh = {task.file: stub(chapter, task) for task in chapter.tasks}
    changed = [file for file, text in fresh.items() if _read(chapter.folder / file) != text]
    try:
        backup = _replace(chapter, {file: fresh[file] for file in changed})
        restored = _restore_given(chapter)
    except OSError as error:
        raise UserError(f"{error.filename} cannot be reset: {error.strerror}.") from error
    if changed + restored:
        hints.forget([task.id for task in chapter.tasks])
        print(f"Reset {', '.join(changed + restored)} in {shown(chapter.folder)}.")
    if backup:
        print(f"What they held is in {shown(backup)}.")
    if not (chapter.folder / "server.py").is_file():
        raise UserError(
            f"{shown(chapter.folder / 'server.py')} is not there, and git does not have it: "
            "it was given, so take it from a fresh copy of the course."
        )
    if not changed + restored:
        print(f"Chapter {chapter.number} is as it was given; nothing to reset.")
    return 0


def _replace(chapter: Chapter, fresh: dict[str, str]) -> Path | None:
    """Write these files; the folder that holds what was in their place, if anything was."""
    backup = BACKUPS / f"{chapter.name}-{datetime.now():%Y-%m-%d-%H%M%S-%f}"
    for file, text in fresh.items():
        target = chapter.folder / file
        if os.path.lexists(target):
            backup.mkdir(parents=True, exist_ok=True)
            shutil.move(target, backup / file)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    return backup if backup.exists() else None


def _restore_given(chapter: Chapter) -> list[str]:
    """Take the given files that are gone out of git again, if it has them; their names."""
    gone = _git(chapter, "ls-files", "--deleted").splitlines()
    if gone:
        _git(chapter, "checkout", "--", *gone)
    return [file for file in gone if (chapter.folder / file).is_file()]


def _git(chapter: Chapter, *words: str) -> str:
    """What git says in the chapter's folder; nothing where there is no git."""
    try:
        done = subprocess.run(["git", *words], cwd=chapter.folder, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def _read(path: Path) -> str | None:
    return path.read_text("utf-8", errors="replace") if path.is_file() else None
