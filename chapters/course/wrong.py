"""The wrong answers under `tests/wrong`: what each misunderstands and what must catch it.

A wrong answer is an overlay: lines that run after the reference's file, in its namespace. Its
docstring is a title and then fields, each `name: text`:

    misunderstood   one line, what its author believes
    seen in         where the fault was shipped, or "an ordinary slip"
    task            the task it fails, such as 1.1
    check           the check that must catch it
    file            the exercise file it changes, if that is not the task's own
"""

from __future__ import annotations

import ast
import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from chapters.course.manifest import Chapter, find_task
from chapters.course.paths import TESTS, shown
from chapters.course.settings import UserError

FIELDS = ("misunderstood", "seen in", "task", "check")


@dataclass(frozen=True)
class Wrong:
    """One wrong answer; `name` is its file's."""

    path: Path
    name: str
    title: str
    misunderstood: str
    seen_in: str
    task: str
    check: str
    file: str


def wrongs(chapter: Chapter) -> list[Wrong]:
    """All wrong answers of a chapter, by name."""
    return [
        read_wrong(p) for p in sorted((TESTS / "wrong" / f"chapter_{chapter.number}").glob("*.py"))
    ]


def read_wrong(path: Path) -> Wrong:
    """The wrong answer in this file. Raises ValueError if its docstring lacks a field."""
    title, _, rest = (ast.get_docstring(ast.parse(path.read_bytes())) or "").partition("\n")
    found = dict(re.findall(r"^([a-z ]+): (.+)$", rest, re.MULTILINE))
    missing = [field for field in FIELDS if field not in found]
    if missing:
        raise ValueError(f"{shown(path)}: its docstring has no {missing[0]!r}")
    place = find_task(found["task"])
    if place is None:
        raise ValueError(f"{shown(path)}: there is no task {found['task']!r}")
    values = {field.replace(" ", "_"): found[field].strip() for field in FIELDS}
    return Wrong(path, path.stem, title.strip(), **values, file=found.get("file", place[1].file))


def find_wrong(chapter: Chapter, name: str) -> Wrong:
    """The wrong answer of this name. Raises UserError if the chapter has none such."""
    known = {wrong.name: wrong for wrong in wrongs(chapter)}
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
        hint = (
            f"did you mean {close[0]}"
            if close
            else f"they are in tests/wrong/chapter_{chapter.number}"
        )
        raise UserError(f"WRONG={name} is no wrong answer of chapter {chapter.number}; {hint}.")
    return known[name]
