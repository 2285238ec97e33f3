"""Grades one task, in a process of its own: `python -m chapters.course.run_task JOB`.

JOB is a JSON file. What happened is written to the job's record file, a JSON line at a time,
so that it survives whatever the graded code does to this process. Printed text decides nothing.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import linecache
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from chapters.course import graft
from chapters.course.checking import CheckFailed

# What a graded process may use. A right answer needs a small part of it.
MEMORY = 4 * 1024**3
FILE = 64 * 1024**2
OUTSIDE = (pytest.PytestUnraisableExceptionWarning, pytest.PytestUnhandledThreadExceptionWarning)


class Recorder:
    """A pytest plugin: writes what was collected, what runs, and each verdict."""

    def __init__(self, path: str, graded: list[str]):
        self.file = Path(path).open("a", encoding="utf-8")
        self.graded = graded
        self.message = ""

    def note(self, **record) -> None:
        print(json.dumps(record), file=self.file, flush=True)

    def pytest_collection_finish(self, session):
        self.note(collected=[item.name for item in session.items])

    def pytest_collectreport(self, report):
        if report.failed:
            self.note(broken=str(report.longrepr))

    def pytest_runtest_logstart(self, nodeid, location):
        self.message = ""
        self.note(started=nodeid.rpartition("::")[2])

    def pytest_runtest_setup(self, item):
        self.note(title=title_of(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if call.excinfo and not self.message:
            self.message = explain(call.excinfo.value, self.graded) + printed(report)
        if call.when == "teardown":
            self.note(check=item.name, title=title_of(item), message=self.message)
        return report

    def pytest_sessionfinish(self, session, exitstatus):
        self.note(finished=int(exitstatus))


def title_of(item) -> str:
    """A check's sentence: the first line of its docstring."""
    return (item.function.__doc__ or item.name).partition("\n")[0]


def explain(error: BaseException, graded: list[str]) -> str:
    """A check's own verdict, or where in the graded files an exception came from."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, OUTSIDE) and error.__cause__:  # raised in a thread, or by a clean-up
        error = error.__cause__
    if isinstance(error, CheckFailed):
        return str(error)
    if isinstance(error, NotImplementedError) and str(error).startswith("Task "):
        return f"not written yet: {error}"
    return "\n".join([*getattr(error, "__notes__", ()), *_raised(error, graded)])


def _raised(error: BaseException, graded: list[str]) -> list[str]:
    """Where an exception came from, and what it says: in the graded files if it can be."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    lines = [f"raised    {what}"]
    if isinstance(error, SyntaxError) and error.filename:
        return [
            *lines,
            f"at        {error.filename}, line {error.lineno}: {(error.text or '').strip()}",
        ]
    frames = list(_frames(error))
    own = [frame for frame in frames if frame[0] in graded]
    if own:
        lines.append(f"at        {_line(own[-1])}")
    else:
        lines.append("at        the check, which could not use what your code gave back")
        lines += [f"          {_line(frame)}" for frame in frames if "test_" in frame[0]][-1:]
    if "coroutine" in what:
        lines.append("why       calling an `async def` function gives a coroutine, not its result:")
        lines.append("          `await` is missing where it was called")
    return lines


def _line(frame) -> str:
    file, number, name = frame
    return f"{file}, line {number}, in {name}: {linecache.getline(file, number).strip()}"


def _frames(error: BaseException):
    trace = error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        yield code.co_filename, trace.tb_lineno, code.co_name
        trace = trace.tb_next


def printed(report) -> str:
    """The last lines that the code under test printed, if any."""
    text = "".join(text for title, text in report.sections if "stdout" in title).rstrip()
    return f"\nprinted   … {text[-2000:]}"[:4000] if text else ""


class NoSolutions(MetaPathFinder):
    """Refuses to import the reference under its own name."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.partition(".")[0] == "solutions":
            raise ImportError("this file imports the solution: an exercise must stand by itself")
        return None


def limit_resources() -> None:
    """Bound memory and file sizes, where the system can."""
    try:
        import resource
    except ImportError:
        return
    for kind, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_FSIZE, FILE)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def main(job_file: str) -> int:
    """Run the checks of one task against the files that the job names."""
    job = json.loads(Path(job_file).read_text("utf-8"))
    limit_resources()
    stacks = Path(job["stacks"]).open("w", encoding="utf-8")
    faulthandler.dump_traceback_later(job["seconds"], file=stacks)
    implementations = {
        module: graft.Implementation(Path(path), overlay and Path(overlay))
        for module, (path, overlay) in job["files"].items()
    }
    graft.install(implementations, [Path(folder) for folder in job["folders"]])
    sys.meta_path.insert(0, NoSolutions())
    options = ["-q", "-p", "no:cacheprovider", "--import-mode=importlib", "--tb=no"]
    options += ["-W", "error:coroutine:RuntimeWarning"]
    options += ["-W", "error::pytest.PytestUnraisableExceptionWarning"]
    options += ["-W", "error::pytest.PytestUnhandledThreadExceptionWarning"]
    return pytest.main([*options, job["checks"]], plugins=[Recorder(job["records"], job["graded"])])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
