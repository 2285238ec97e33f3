"""The course's manifest, `chapters/course.toml`, as values."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chapters.course.paths import CHAPTERS, TESTS


@dataclass(frozen=True)
class Task:
    """One exercise: one file of a chapter, checked by one test file.

    id: "1.2"; file: "requests.py"; minutes: for a first reader; checks: how many graded checks
    there must be; hints: a nudge, an idea, nearly the code.
    """

    id: str
    title: str
    file: str
    points: int
    minutes: int
    checks: int
    hints: tuple[str, ...]

    @property
    def number(self) -> int:
        return int(self.id.partition(".")[2])

    @property
    def stem(self) -> str:
        return self.file.removesuffix(".py")


@dataclass(frozen=True)
class Chapter:
    """A chapter: a package under `chapters`, and its tasks."""

    number: int
    name: str
    title: str
    tasks: tuple[Task, ...]

    @property
    def folder(self) -> Path:
        return CHAPTERS / self.name

    @property
    def checks(self) -> Path:
        return TESTS / f"chapter_{self.number}"

    def check_file(self, task: Task) -> Path:
        return self.checks / f"test_{task.number}_{task.stem}.py"

    def module(self, task: Task) -> str:
        return f"chapters.{self.name}.{task.stem}"


@cache
def course(path: Path = CHAPTERS / "course.toml") -> dict[int, Chapter]:
    """All chapters that exist, by number, in order."""
    with open(path, "rb") as file:
        tables = tomllib.load(file)["chapter"]
    return {table["number"]: _chapter(table) for table in tables}


def _chapter(table: dict) -> Chapter:
    tasks = tuple(Task(**{**task, "hints": tuple(task["hints"])}) for task in table["task"])
    return Chapter(table["number"], table["name"], table["title"], tasks)


def up_to(last: Chapter) -> list[Chapter]:
    """The chapters from the first to this one."""
    return [chapter for chapter in course().values() if chapter.number <= last.number]


def find_task(task_id: str) -> tuple[Chapter, Task] | None:
    """The task with this id and its chapter; None if there is none."""
    for chapter in course().values():
        for task in chapter.tasks:
            if task.id == task_id:
                return chapter, task
    return None
