"""`make test`: all that must hold in a fresh copy. What students' answers are graded by is not
run here for its own sake; the tests of the course itself grade with it.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from chapters.course.settings import Settings

CHECKS = (["ruff", "check"], ["ruff", "format", "--check"])
# What mostly waits, or grades in processes of its own, runs in a pytest beside the others.
BESIDE = ["tests/course/test_wrong_and_right.py", "tests/lessons"]
GRADED_OTHERWISE = ["--ignore-glob=tests/chapter_*", "--ignore=tests/wrong", "--ignore=tests/right"]


class _Also:
    """Tells pytest's summary what else has run, so that its closing line stays the last."""

    def __init__(self, failed: list[str], beside: subprocess.Popen):
        self.failed, self.beside = failed, beside

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.section(f"beside: {' '.join(BESIDE)}")
        terminalreporter.write(self.beside.communicate()[0])
        if self.beside.returncode:
            self.failed.append(f"pytest {' '.join(BESIDE)}")
        for command in self.failed:
            terminalreporter.write_line(f"FAILED {command}: see above", red=True)


def main(settings: Settings, arg: str | None) -> int:
    """Lint, format and tests, all of them even if one fails; 0 only if all is well."""
    failed = [" ".join(check) for check in CHECKS if _run(check)]
    command = [sys.executable, "-m", "pytest", "-q", *BESIDE]
    beside = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    others = [f"--ignore={path}" for path in BESIDE]
    try:
        status = pytest.main(["tests", *GRADED_OTHERWISE, *others], plugins=[_Also(failed, beside)])
    finally:
        beside.kill()
    return int(status or bool(failed))


def _run(check: list[str]) -> int:
    print(f"== {' '.join(check)}", flush=True)
    return subprocess.call([sys.executable, "-m", *check])
