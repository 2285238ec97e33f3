"""`make chat`: a conversation in the terminal, streamed; Ctrl-C stops the answer, not the program.

It talks to the server that listens on PORT; if none does, it starts one of its own and ends it
with itself. Where standard input is no terminal, it reads lines and ends with them.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections.abc import Iterator

import httpx
from rich.console import Console

from chapters.course.live import LiveServer
from chapters.course.manifest import course
from chapters.course.paths import ROOT
from chapters.course.settings import Settings, UserError
from chapters.course.setup import Setup

PATH = "/v1/chat/completions"
HELP = "/reset forgets the conversation, Ctrl-C stops an answer, Ctrl-D ends"
TIMES = httpx.Timeout(5, read=None)  # an answer may take its time


def main(settings: Settings) -> int:
    """Talk until the input ends."""
    console = Console(highlight=False)
    with contextlib.ExitStack() as stack:
        stack.enter_context(foreground())
        url = _running(settings.port) or stack.enter_context(_own(settings, console)).url
        client = stack.enter_context(httpx.Client(base_url=url, timeout=TIMES))
        name = client.get("/v1/models").json()["data"][0]["id"]
        console.print(f"  {name} at {url}; {HELP}", style="dim", markup=False)
        Chat(client, console).run()
    return 0


class Chat:
    """One conversation; `history` is what is sent each time."""

    def __init__(self, client: httpx.Client, console: Console):
        self.client, self.console = client, console
        self.history: list[dict] = []

    def run(self) -> None:
        while (line := self._line()) is not None:
            if line == "/reset":
                self.history = []
                self.console.print("  forgotten", style="dim")
            elif line.startswith("/"):
                self.console.print(f"  {HELP}", style="dim")
            elif line:
                self.answer(line)

    def _line(self) -> str | None:
        """What the person types; "" after Ctrl-C, None at the end."""
        try:
            return input("you: " if sys.stdin.isatty() else "").strip()
        except KeyboardInterrupt:
            self.console.print(f"\n  {HELP}", style="dim")
            return ""
        except EOFError:
            return None

    def answer(self, line: str) -> None:
        """Ask, and show the answer as it comes; what came of it is remembered."""
        self.history.append({"role": "user", "content": line})
        text = ""
        try:
            with contextlib.closing(self._pieces()) as pieces:
                for piece in pieces:
                    text += piece
                    self._show(piece)
            self._show("\n")
        except KeyboardInterrupt:
            self.console.print("\n  stopped", style="dim")
        except (httpx.HTTPError, UserError) as error:
            why = str(error) or type(error).__name__
            self.console.print(f"\n  no answer: {why}", style="bold", markup=False)
        if text:
            self.history.append({"role": "assistant", "content": text})
        else:
            self.history.pop()

    def _show(self, text: str) -> None:
        """Print text of the model; what would steer the terminal is left out."""
        text = "".join(c for c in text if c.isprintable() or c in "\n\t")
        self.console.print(text, end="", markup=False, soft_wrap=True)
        self.console.file.flush()

    def _pieces(self, stream: bool = True) -> Iterator[str]:
        """The answer's text as it comes; whole, from a server that cannot stream.

        Raises UserError with what the server says, if it refuses.
        """
        body = {"messages": self.history, "stream": stream}
        with self.client.stream("POST", PATH, json=body) as response:
            if response.status_code == 200:
                yield from _streamed(response) if stream else _whole(response)
                return
            error = json.loads(response.read())["error"]
        if stream and error.get("param") == "stream":
            yield from self._pieces(stream=False)
        else:
            raise UserError(error["message"])


def _streamed(response: httpx.Response) -> Iterator[str]:
    for line in response.iter_lines():
        data = line.removeprefix("data:").strip()
        if data == "[DONE]":
            return
        if line.startswith("data:"):
            chunk = json.loads(data)
            if chunk.get("error"):
                raise UserError(chunk["error"]["message"])
            for choice in chunk["choices"]:
                yield choice["delta"].get("content") or ""
    raise UserError("the answer broke off")


def _whole(response: httpx.Response) -> Iterator[str]:
    yield json.loads(response.read())["choices"][0]["message"]["content"]


def _running(port: int) -> str | None:
    """The address of the server on this port; None if nobody listens there.

    Raises UserError if it is no such server.
    """
    url = f"http://127.0.0.1:{port}"
    try:
        answer = httpx.get(f"{url}/v1/models", timeout=TIMES)
        answer.json()["data"][0]["id"]
    except httpx.ConnectError:
        return None
    except (httpx.HTTPError, ValueError, LookupError, TypeError):
        raise UserError(
            f"What listens on port {port} is no server of this kind: take another port, PORT="
        ) from None
    return url


def _own(settings: Settings, console: Console) -> LiveServer:
    """A server of this program's own, on any free port."""
    if settings.model != "scripted":
        Setup(ROOT).prepare("full", not settings.model, settings.torch_index)
    console.print(f"  nothing runs on port {settings.port}: starting a server …", style="dim")
    chapter = settings.chapter or max(course())
    return LiveServer(chapter, model=settings.model, pace=settings.pace)


@contextlib.contextmanager
def foreground() -> Iterator[None]:
    """Ctrl-C is for this program alone; make, which started it, would end at the second one."""
    if not sys.stdin.isatty() or not hasattr(os, "tcsetpgrp") or os.getpgrp() == os.getpid():
        yield
        return
    terminal, before = sys.stdin.fileno(), os.getpgrp()
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # nobody would be there to wake it
    os.setpgid(0, 0)
    os.tcsetpgrp(terminal, os.getpgrp())
    try:
        yield
    finally:
        os.tcsetpgrp(terminal, before)
