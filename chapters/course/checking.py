"""What graded checks are written with: clear failures, a hand-driven ASGI call, a real server.

A check says what was sent, what came back, what was expected and why a user would care. It
never waits for time to pass; a watchdog turns a hang into a message and decides nothing.
"""

from __future__ import annotations

import asyncio
import importlib
import socket
import threading
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager

import uvicorn

WATCHDOG = 5.0  # seconds until something that should end is said to hang
HASTY = 1.0  # the same, once something has hung in this process
_patience = WATCHDOG


class CheckFailed(AssertionError):
    """A check's verdict, in words for the student."""


def fail(why: str, *, sent=None, got=None, expected=None) -> None:
    """Raises CheckFailed. `why` says what the fault means to a user; the rest is shown as given.

    A value that is no string is shown as Python writes it, shortened.
    """
    lines = [
        f"{name:<9} {value if isinstance(value, str) else _short(value)}"
        for name, value in (("sent", sent), ("came back", got), ("expected", expected))
        if value is not None
    ]
    raise CheckFailed("\n".join([*lines, f"why       {why}"]))


def expect(ok: bool, why: str, *, sent=None, got=None, expected=None) -> None:
    """`fail` unless `ok`."""
    if not ok:
        fail(why, sent=sent, got=got, expected=expected)


@contextmanager
def case(sent=None, *, expected=None) -> Iterator[None]:
    """Inside, whatever the student's code raises is shown together with what was sent to it."""
    try:
        yield
    except CheckFailed:
        raise
    except BaseException as error:
        for name, value in (("sent", sent), ("expected", expected)):
            if value is not None:
                error.add_note(f"{name:<9} {value if isinstance(value, str) else _short(value)}")
        raise


def _short(value, limit: int = 300) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 30]} … ({len(text)} characters)"


def provided(module: str, name: str):
    """`name` from a student's module. Raises CheckFailed if it is not there."""
    file = module.rpartition(".")[2] + ".py"
    found = getattr(importlib.import_module(module), name, None)
    if found is None:
        fail(
            "the other files and the checks use it by this name",
            got=f"{file} has no {name}",
            expected=f"{name}, with the arguments that the exercise was given with",
        )
    return found


def on_loop(coroutine: Coroutine):
    """Run a coroutine on a fresh event loop in debug mode; its result.

    In debug mode, asyncio raises at once when a loop is touched from another thread.
    """

    async def watched():
        global _patience
        task = asyncio.ensure_future(coroutine)
        done, _ = await asyncio.wait({task}, timeout=_patience)
        if not done:
            _patience = HASTY
            fail(
                "nothing more will come, and whoever asked still waits",
                got=f"no end: it waits at {_waiting_at(coroutine)}",
            )
        return task.result()

    return asyncio.run(watched(), debug=True)


def _waiting_at(coroutine) -> str:
    """The innermost line of the chapters' code that this suspended coroutine waits in."""
    found = "a line outside the chapters' files"
    while coroutine is not None:
        frame = getattr(coroutine, "cr_frame", None)
        if frame and "ch0" in frame.f_code.co_filename:
            found = f"{frame.f_code.co_filename}, line {frame.f_lineno}, in {frame.f_code.co_name}"
        coroutine = getattr(coroutine, "cr_await", None)
    return found


class Client:
    """The far side of one ASGI call: hands out messages, and keeps what is sent.

    Once the messages are used up, `receive` waits, as it does for a client that is connected
    and silent; `waited` says that it was asked again.
    """

    def __init__(self, messages: Iterable[dict]):
        self.messages = list(messages)
        self.asked = 0
        self.sent: list[dict] = []
        self.waited = False

    async def receive(self) -> dict:
        self.asked += 1
        if self.asked <= len(self.messages):
            return dict(self.messages[self.asked - 1])
        self.waited = True
        await asyncio.Event().wait()

    async def send(self, message: dict) -> None:
        self.sent.append(message)

    @property
    def status(self) -> int | None:
        starts = [m for m in self.sent if m["type"] == "http.response.start"]
        return starts[0]["status"] if starts else None

    @property
    def seen(self) -> str:
        """What the client has seen of the response, in words."""
        if not self.sent:
            return "nothing: send() was never called, neither by a response nor by hand"
        return f"status {self.status}: {self.body[:200].decode(errors='replace')}"

    @property
    def headers(self) -> dict[str, str]:
        pairs = self.sent[0].get("headers", ()) if self.sent else ()
        return {name.decode().lower(): value.decode() for name, value in pairs}

    @property
    def body(self) -> bytes:
        return b"".join(m.get("body", b"") for m in self.sent)


def pieces(*bodies: bytes) -> list[dict]:
    """The ASGI messages of a body that arrives in these pieces."""
    last = len(bodies) - 1
    return [
        {"type": "http.request", "body": body, "more_body": number < last}
        for number, body in enumerate(bodies)
    ]


def call(app, *bodies: bytes, path: str = "/", messages: Sequence[dict] | None = None) -> Client:
    """One POST to an ASGI app without a socket; the client afterwards."""
    client = Client(pieces(*bodies) if messages is None else messages)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "POST",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"content-type", b"application/json")],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 1919),
    }
    on_loop(app(scope, client.receive, client.send))
    return client


class _Server(uvicorn.Server):
    """uvicorn's server, which tells another thread when it serves, or that it never will."""

    def __init__(self, config: uvicorn.Config):
        super().__init__(config)
        self.settled = threading.Event()

    async def startup(self, sockets=None) -> None:
        await super().startup(sockets)
        self.settled.set()

    def serve_in_thread(self, listener: socket.socket, debug: bool) -> None:
        try:
            asyncio.run(self.serve(sockets=[listener]), debug=debug)
        finally:
            self.settled.set()


@contextmanager
def running(
    app, before_end: Callable[[], None] = lambda: None, *, debug: bool = True
) -> Iterator[str]:
    """A real server on a free port of 127.0.0.1, in a thread; yields "http://127.0.0.1:PORT".

    before_end: called before the server is stopped, whatever happened, to open every gate.
    debug: asyncio's debug mode, for checks; leave it out where time is measured.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    server = _Server(uvicorn.Config(app, log_level="critical", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.serve_in_thread, args=[listener, debug], name="server")
    thread.start()
    try:
        server.settled.wait()
        if not server.started:
            fail("nobody can be served", got="the server ended while it was starting")
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        before_end()
        server.should_exit = True
        thread.join()
        listener.close()
