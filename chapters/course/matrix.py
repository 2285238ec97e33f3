"""The kill matrix: every wrong answer, where it comes from, what catches it, and in which words.

`make matrix` writes it to `tests/wrong/README.md`; the suite compares that with what it sees.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor

from chapters.course import graft
from chapters.course.grade import TaskReport, grade_task
from chapters.course.manifest import Chapter, course, find_task
from chapters.course.paths import TESTS, shown
from chapters.course.settings import Settings
from chapters.course.wrong import Wrong, wrongs

COLUMNS = ("Wrong answer", "The mistaken belief", "Seen in", "Task", "Caught by", "Told", "Hint")
AT_ONCE = 6  # more than elsewhere: many wrong answers only wait until a hang is called one
FILE = TESTS / "wrong" / "README.md"
HEAD = """# Wrong answers, and what catches them

Written by `make matrix` from the wrong answers' own docstrings and from what the grader said to
each of them; do not edit. `make demo CHAPTER=N WRONG=name` serves one of them.
"""


def all_wrong() -> list[tuple[Chapter, Wrong]]:
    """Every wrong answer with its chapter."""
    return [(chapter, wrong) for chapter in course().values() for wrong in wrongs(chapter)]


def judge(chapter: Chapter, wrong: Wrong) -> TaskReport:
    """The report of the task that a wrong answer must fail, with the reference's other files."""
    own = {
        task.id: graft.reference(chapter, task, wrong.path if task.file == wrong.file else None)
        for task in chapter.tasks
    }
    _, task = find_task(wrong.task)
    return grade_task(chapter, task, own, graft.references(chapter))


class Verdicts(dict):
    """(chapter's number, wrong answer's name) → its report; a chapter is graded when asked for."""

    def __missing__(self, key: tuple[int, str]) -> TaskReport:
        found = [(c, wrong) for c, wrong in all_wrong() if c.number == key[0]]
        with ThreadPoolExecutor(AT_ONCE) as pool:
            reports = pool.map(lambda pair: judge(*pair), found)
            for (chapter, wrong), report in zip(found, reports, strict=True):
                self[chapter.number, wrong.name] = report
        return self[key]


def table(reports: Mapping[tuple[int, str], TaskReport]) -> str:
    """The matrix as Markdown, a table a chapter."""
    parts = [HEAD]
    for chapter in course().values():
        parts.append(f"\n## Chapter {chapter.number}: {chapter.title}\n\n")
        parts.append(f"| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|\n")
        for wrong in wrongs(chapter):
            report = reports[chapter.number, wrong.name]
            check = next((c for c in report.checks if c.name == wrong.check), None)
            cells = (
                f"`{wrong.name}`: {wrong.title}",
                wrong.misunderstood,
                wrong.seen_in,
                wrong.task,
                check.title if check else f"{wrong.check} (missing)",
                told(check.message) if check else "",
                f"`{report.hint}`",
            )
            parts.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n")
    return "".join(parts)


def told(message: str) -> str:
    """Why it matters, from a check's message, or else the exception; without what varies."""
    lines = message.splitlines()
    said = [line for line in lines if line.startswith("why")] or [
        line for line in lines if line.startswith("raised")
    ]
    text = said[0].partition(" ")[2].strip() if said else ""
    return re.sub(r"0x[0-9a-f]+|[0-9a-f]{32}", "…", text)[:200]


def main(_: Settings, arg: str | None = None) -> int:
    """Grade every wrong answer and write the matrix."""
    FILE.write_text(table(Verdicts()), "utf-8")
    print(shown(FILE))
    return 0
