"""`make experiment-N`: the measurement behind a chapter's lab sheet."""

from __future__ import annotations

import importlib

from chapters.course.grade import chosen
from chapters.course.settings import Settings


def main(_: Settings, number: str | None) -> int:
    """Run the experiment of a chapter and show what it measured."""
    importlib.import_module(f"chapters.{chosen(number).name}.experiment").main()
    return 0
