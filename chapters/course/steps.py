"""Long steps, told while they run, and the programs that do them.

Knows nothing of what is being set up. Reads on any Python 3.6, like `setup.py`.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

POSIX = os.name == "posix"
BEGAN = "COURSE_BEGAN"  # in the environment: when the command was given, in seconds since 1970
GRACE = 5  # seconds a stopped program gets to tidy up before it is told more firmly


class Stopped(BaseException):
    """A signal asked this program to end. Not an Exception: nothing may swallow it."""

    def __init__(self, number):
        super().__init__(number)
        self.status = 128 + number


_held = []  # for each `held` that is being run, the signals that wait for its end


@contextmanager
def stoppable():
    """While inside, Ctrl-C, SIGTERM and SIGHUP raise Stopped, so that clean-up runs."""

    def stop(number, frame):
        if not _held:
            raise Stopped(number)
        _held[-1].append(number)

    numbers = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
    heeded = [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def held():
    """While inside, such signals wait; they raise Stopped at the end."""
    _held.append([])
    try:
        yield
    finally:
        waiting = _held.pop()
    if waiting:
        raise Stopped(waiting[0])


class Step:
    """One long step: a live line on a terminal, elsewhere a line at each thing worth one.

    Used as a context; its last line says how long it took.
    """

    def __init__(self, title, out=None):
        self.title, self.out = title, out or sys.stderr
        self.live = self.out.isatty() and os.environ.get("TERM") != "dumb"
        self.detail, self.started = "", time.monotonic()
        self.ended = threading.Event()
        self.clock = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self):
        if self.live:
            self.clock.start()
        else:
            self._line(self.title + " ...")
        return self

    def __exit__(self, kind, error, trace):
        self.ended.set()
        if self.live:
            self.clock.join()
            self._draw("")
        if kind is None:
            self._line("{} · done in {:.1f} s".format(self.title, self.seconds))

    @property
    def seconds(self):
        return time.monotonic() - self.started

    def tell(self, detail, worth_a_line=False):
        """Say what is going on within the step."""
        self.detail = detail
        if worth_a_line and not self.live:
            self._line("  " + detail)

    def _tick(self):
        while not self.ended.is_set():
            parts = [self.title, self.detail, "{:.0f} s".format(self.seconds)]
            self._draw(" · ".join(part for part in parts if part))
            self.ended.wait(0.5)

    def _draw(self, text):
        width = shutil.get_terminal_size().columns - 1
        self.out.write("\r" + text[:width].ljust(width) + ("" if text else "\r"))
        self.out.flush()

    def _line(self, text):
        self.out.write(text + "\n")
        self.out.flush()


def run(command, each_line, cwd, keep_open=()):
    """Run a program to its end: (exit status, its lines), each line told as it comes.

    Whatever interrupts this ends the program and its children first. They also hold the
    descriptors in `keep_open`, so that a lock lives as long as the last of them.
    """
    apart = {"start_new_session": True, "pass_fds": keep_open} if POSIX else {}
    quiet = dict(os.environ, PYTHONUNBUFFERED="1", PIP_DISABLE_PIP_VERSION_CHECK="1", PIP_USER="0")
    child, lines = None, []
    try:
        with held():  # between its start and the moment it has a name here, nobody could end it
            child = subprocess.Popen(
                command,
                cwd=str(cwd),
                env=quiet,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                universal_newlines=True,
                errors="replace",
                **apart,
            )
        with child.stdout:
            for line in child.stdout:
                lines.append(line.rstrip())
                each_line(lines[-1])
        return child.wait(), lines
    except BaseException:
        with held():
            _end(child)
        raise


def _end(child):
    """End a program and all it started: as Ctrl-C would, so that it tidies up, then harder."""
    if child is None:
        return
    if not POSIX:
        child.kill()
        child.wait()
        return
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
            child.wait(GRACE)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue
