"""`make chat`, with a terminal and without one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from chapters.course.live import LiveServer
from chapters.course.paths import ROOT
from tests.classroom.conftest import COMMAND

posix = pytest.mark.skipif(os.name != "posix", reason="needs a terminal of POSIX")


@pytest.mark.parametrize("chapter", [3, 5])
def test_lines_in_answers_out(chapter):
    with LiveServer(chapter) as server:
        done = subprocess.run(
            [*COMMAND, "chat", f"PORT={server.port}"],
            cwd=ROOT,
            input="hey [bold]\n\n/reset\n/what\nyou\n",
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0 and done.stderr == ""
    assert "hey [bold] 1 2 3" in done.stdout and "you 1 2 3" in done.stdout
    assert "forgotten" in done.stdout


def test_it_starts_a_server_where_none_runs():
    done = subprocess.run(
        [*COMMAND, "chat", "MODEL=scripted", "PORT=1"],
        cwd=ROOT,
        input="hey\n",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "hey 1 2 3" in done.stdout


@posix
@pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")
def test_ctrl_c_stops_the_answer_and_not_the_program():
    import pty

    with LiveServer(5, pace=20) as server:
        pid, terminal = pty.fork()
        if pid == 0:
            os.chdir(ROOT)
            words = ["make", "chat", f"PORT={server.port}", f"PYTHON={sys.executable}"]
            os.execvp("make", words)
        until = Reader(terminal).until
        until(b"you: ")
        for _ in range(2):  # at the second one make would end, if it heard of it
            os.write(terminal, b"hey\n")
            until(b" 1 2 3")
            os.write(terminal, b"\x03")
            until(b"stopped")
            until(b"you: ")
        assert len(server.watch.wait_for("abort done", 2)) == 2
        os.write(terminal, b"\x03")  # at the prompt, it is a hint
        until(b"Ctrl-D")
        until(b"you: ")
        os.write(terminal, b"\x04")
        _, status = os.waitpid(pid, 0)
    assert os.waitstatus_to_exitcode(status) == 0


class Reader:
    """What a program writes to its terminal."""

    def __init__(self, terminal: int):
        self.terminal, self.said = terminal, b""

    def until(self, wanted: bytes) -> None:
        """Read until this has come, and past it."""
        while wanted not in self.said:
            self.said += os.read(self.terminal, 4096)
        self.said = self.said.partition(wanted)[2]
