"""Where things lie in the repository."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "chapters"
SOLUTIONS = ROOT / "solutions"
TESTS = ROOT / "tests"
BACKUPS = ROOT / ".backups"
CACHE = Path(os.environ.get("LLM_COURSE_CACHE") or ROOT / ".cache")


def shown(path: Path) -> str:
    """A path as a person in the repository's folder would type it."""
    path = Path(path)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else str(path)
