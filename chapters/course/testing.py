"""`make test`: all that must hold in a fresh copy. What students' answers are graded by is not
run here for its own sake; the tests of the course itself grade with it.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from chapters.course.settings import Settings

CHECKS = (["ruff", "check"], ["ruff", "format", "--check"])
GRADED_OTHERWISE = ["--ignore-glob=tests/chapter_*", "--ignore=tests/wrong", "--ignore=tests/right"]


class _AlsoFailed:
    """Tells pytest's summary what failed before it, so that its closing line stays the last."""

    def __init__(self, commands: list[str]):
        self.commands = commands

    def pytest_terminal_summary(self, terminalreporter):
        for command in self.commands:
            terminalreporter.write_line(f"FAILED {command}: see above", red=True)


def main(settings: Settings, arg: str | None) -> int:
    """Lint, format and tests, all of them even if one fails; 0 only if all is well."""
    failed = [" ".join(check) for check in CHECKS if _run(check)]
    status = pytest.main(["tests", *GRADED_OTHERWISE], plugins=[_AlsoFailed(failed)])
    return int(status or bool(failed))


def _run(check: list[str]) -> int:
    print(f"== {' '.join(check)}", flush=True)
    return subprocess.call([sys.executable, "-m", *check])
