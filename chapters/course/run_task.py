"""Grades one task, in a process of its own.

A job is a JSON file. What happened is written to the job's record file, a JSON line at a time,
so that it survives whatever the graded code does to this process. Printed text decides nothing.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import linecache
import os
import pdb
import sys
import threading
import time
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest

from chapters.course import aside, graft
from chapters.course.checking import MOST, CheckFailed, shorten
from chapters.course.paths import ROOT

# What a graded process may use. A right answer needs a small part of it.
MEMORY = 2 * 1024**3
FILE = 64 * 1024**2
# A time zone of its own, so that local time cannot pass for UTC; and no plugins of anybody's.
ALONE = {"TZ": "FAR-5:30", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
ALONE |= {"NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
# Taken before any graded code runs, which may put other functions in their places.
DUMPS, WRITE, EXIT, PID = json.dumps, os.write, os._exit, os.getpid
OUTSIDE = (pytest.PytestUnraisableExceptionWarning, pytest.PytestUnhandledThreadExceptionWarning)


class Recorder:
    """A pytest plugin: writes what was collected, what runs, and each verdict.

    A process that the graded code has forked off ends here.
    """

    def __init__(self, path: str, graded: list[str]):
        self.file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        self.graded = graded
        self.message = ""
        self.process = PID()

    def note(self, **record) -> None:
        if PID() != self.process:
            EXIT(0)
        WRITE(self.file, f"{DUMPS(record)}\n".encode())

    def pytest_sessionstart(self, session):
        sys.breakpointhook = pdb.set_trace = no_breakpoint
        self.threads = set(threading.enumerate())
        aside.watch_opening(self.graded, lambda told: self.note(aside=told))

    def pytest_collection_finish(self, session):
        self.note(collected=[item.name for item in session.items])

    def pytest_collectreport(self, report):
        if report.failed:
            self.note(broken=shorten(str(report.longrepr), MOST))

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
            self.message = shorten(self.message, MOST)
        if call.when == "teardown":
            self.note(check=item.name, title=title_of(item), message=self.message)
        return report

    def pytest_sessionfinish(self, session, exitstatus):
        for told in aside.left_behind(self.threads):
            self.note(aside=told)
        self.note(finished=int(exitstatus))


def no_breakpoint(*args, **options):
    """In place of a debugger, which would wait for somebody to type."""
    raise RuntimeError("a breakpoint is left here, and nobody can type at it during grading")


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
    said = _said(error)
    if isinstance(error, NotImplementedError) and said.startswith("Task "):
        return f"not written yet: {said}"
    return "\n".join([*getattr(error, "__notes__", ()), *_raised(error, said, graded)])


def _said(error: BaseException) -> str:
    """The exception's text; that it has none, if asking for it raises."""
    try:
        return shorten(str(error), 700)
    except BaseException as second:
        return f"(its text cannot be shown: str() of it raises {type(second).__name__})"


def _raised(error: BaseException, said: str, graded: list[str]) -> list[str]:
    """Where an exception came from, and what it says: in the graded files if it can be."""
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    lines = [f"raised    {what}"]
    if isinstance(error, SyntaxError) and error.filename:
        line = f", line {error.lineno}: {shorten((error.text or '').strip())}"
        return [*lines, f"at        {error.filename}{line if error.lineno else ''}"]
    frames = list(_frames(error))
    own = [frame for frame in frames if frame[0] in graded]
    if own:
        lines.append(f"at        {_line(own[-1])}")
    elif not isinstance(error, ImportError):
        lines.append("at        the check, which could not use your code:")
        lines += [f"          {_line(frame)}" for frame in frames if "test_" in frame[0]][-1:]
    if isinstance(error, MemoryError):
        lines.append(f"why       a graded file may use {MEMORY // 1024**3} GiB of memory; this")
        lines.append("          file wanted more: something in it grows without end")
    if "never awaited" in what or "'coroutine'" in what:
        lines.append("why       calling an `async def` function gives a coroutine, not its result:")
        lines.append("          `await` is missing where it was called")
    return lines


def _line(frame) -> str:
    file, number, name = frame
    source = linecache.getline(str(ROOT / file), number).strip()
    return f"{file}, line {number}, in {name}: {shorten(source)}"


def _frames(error: BaseException):
    trace = error.__traceback__
    while trace:
        code = trace.tb_frame.f_code
        yield code.co_filename, trace.tb_lineno, code.co_name
        trace = trace.tb_next


def printed(report) -> str:
    """The last lines that the code under test printed, if any."""
    text = "".join(text for title, text in report.sections if "stdout" in title).rstrip()
    return f"\nprinted   {'… ' * (len(text) > 600)}{text[-600:]}" if text else ""


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
    """Run the checks of one task against the files that the job names; pytest's exit status."""
    job = json.loads(Path(job_file).read_text("utf-8"))
    limit_resources()
    stacks = Path(job["stacks"]).open("w", encoding="utf-8")
    left = max(1.0, job["deadline"] - time.time())
    faulthandler.dump_traceback_later(left, file=stacks)
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


def in_child(job_file: str) -> None:
    """The whole life of a grading process: alone with its job, and without a terminal.

    It ends at once when the checks are through: what the graded code has left running holds
    nobody up.
    """
    if hasattr(os, "setsid"):
        os.setsid()
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.chdir(ROOT)
    os.environ.update(ALONE)
    sys.dont_write_bytecode = True
    if hasattr(time, "tzset"):
        time.tzset()
    EXIT(main(job_file))
