"""What graded code does beside its task: opens the solution, leaves a thread or a port behind.

It is told in the report and costs no points by itself.
"""

from __future__ import annotations

import contextlib
import gc
import os
import socket
import sys
import threading
from collections.abc import Callable

from chapters.course import graft
from chapters.course.paths import SOLUTIONS


def watch_opening(graded: list[str], tell: Callable[[str], None]) -> None:
    """From now on, `tell` of every file under `solutions/` that a graded file opens.

    graded: the files' names, as code objects have them. What the graft opens, since a graded
    file imports what stands beside it, is not meant.
    """

    def hear(event: str, args: tuple) -> None:
        if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
            path = os.path.abspath(os.fsdecode(args[0]))
            if path.startswith(str(SOLUTIONS) + os.sep):
                by = _who(sys._getframe(1))
                if by in graded:
                    tell(f"{by} opens the solution: solutions/{os.path.relpath(path, SOLUTIONS)}")

    def _who(frame) -> str:
        """The innermost file that is graded, or else the graft's."""
        while frame and frame.f_code.co_filename not in (*graded, graft.__file__):
            frame = frame.f_back
        return frame.f_code.co_filename if frame else ""

    sys.addaudithook(hear)


def left_behind(before: set[threading.Thread]) -> list[str]:
    """What is still there at the end: threads that were not there `before`, listening sockets."""
    threads = [t for t in threading.enumerate() if t not in before and t.is_alive()]
    found = [f"a thread is left running: {thread.name}" for thread in threads]
    for thing in gc.get_objects():
        if isinstance(thing, socket.socket) and thing.fileno() >= 0:
            with contextlib.suppress(OSError):
                if thing.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    found.append(f"a port is left open: {thing.getsockname()[1]}")
    return found
