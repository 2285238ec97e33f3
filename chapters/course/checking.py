"""What graded checks are written with: clear failures, a hand-driven ASGI call, a real server.

A check says what was sent, what came back, what was expected and why a user would care. It
never waits for time to pass; a watchdog turns a hang into a message and decides nothing.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import re
import socket
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import uvicorn

WATCHDOG = 5.0  # seconds until something that should end is said to hang
HASTY = 1.0  # the same, once something has hung in this process
_patience = WATCHDOG

MOST = 2000  # characters of one message
LONGEST = 400  # characters of one value in it
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class CheckFailed(AssertionError):
    """A check's verdict, in words for the student."""


def fail(why: str, *, sent=None, got=None, expected=None) -> None:
    """Raises CheckFailed. `why` says what the fault means to a user; the rest is shown as given.

    A string is shown as it is, another value as Python writes it; both shortened.
    """
    lines = _lines(("sent", sent), ("came back", got), ("expected", expected))
    raise CheckFailed(shorten("\n".join([*lines, f"why       {why}"]), MOST))


def expect(ok: bool, why: str, *, sent=None, got=None, expected=None) -> None:
    """`fail` unless `ok`."""
    if not ok:
        fail(why, sent=sent, got=got, expected=expected)


@contextmanager
def case(sent=None, *, expected=None) -> Iterator[None]:
    """Inside, whatever the student's code raises is shown together with what was sent to it.

    Of cases within cases, the innermost is shown.
    """
    try:
        yield
    except CheckFailed:
        raise
    except BaseException as error:
        if not hasattr(error, "__notes__"):
            for line in _lines(("sent", sent), ("expected", expected)):
                error.add_note(line)
        raise


def _lines(*named) -> list[str]:
    return [
        f"{name:<9} {shorten(value) if isinstance(value, str) else show(value)}"
        for name, value in named
        if value is not None
    ]


def show(value) -> str:
    """A value as Python writes it, shortened; also one that cannot be written."""
    if inspect.iscoroutine(value):
        return "a coroutine: calling an `async def` function gives one, and not its result"
    try:
        return shorten(repr(value))
    except Exception as error:
        return f"<a {type(value).__name__}, whose repr raises {type(error).__name__}>"


def shorten(text: str, limit: int = LONGEST) -> str:
    """`text` at its length or cut in the middle, and fit for any terminal and any file."""
    if len(text) > limit:
        cut = f" … ({len(text)} characters) … "
        start = (limit - len(cut)) * 2 // 3
        text = f"{text[:start]}{cut}{text[start + len(cut) - limit :]}"
    text = CONTROL.sub(lambda found: repr(found[0])[1:-1], text)
    return text.encode("utf-8", "backslashreplace").decode()


def provided(module: str, name: str):
    """`name` from a student's module. Raises CheckFailed if it is not there."""
    file = module.rpartition(".")[2] + ".py"
    try:
        found = getattr(importlib.import_module(module), name, None)
    except (SystemExit, KeyboardInterrupt) as error:
        left = f"{file} ends the program while it is imported: such lines belong in `if __name__ "
        raise ImportError(left + "== '__main__':`").with_traceback(error.__traceback__) from None
    if found is None:
        fail(
            "the other files and the checks use it by this name",
            got=f"{file} has no {name}",
            expected=f"{name}, with the arguments that the exercise was given with",
        )
    return found


@contextmanager
def one_loop() -> Iterator[Callable]:
    """An event loop in debug mode; yields `run(awaitable) -> its result`, to be called at will.

    In debug mode, asyncio raises at once when a loop is touched from another thread.
    """
    with asyncio.Runner(debug=True) as runner:
        yield lambda awaitable: runner.run(_watched(awaitable))


def on_loop(awaitable: Awaitable):
    """Await this on a fresh event loop; its result."""
    with one_loop() as run:
        return run(awaitable)


def patience() -> float:
    """Seconds until something that should end is said to hang; fewer, once something has hung."""
    return _patience


async def _watched(awaitable: Awaitable):
    global _patience
    task = asyncio.ensure_future(to_await(awaitable))
    done, _ = await asyncio.wait({task}, timeout=_patience)
    if not done:
        _patience = HASTY
        fail(
            "nothing more will come, and whoever asked still waits",
            got=f"no end: it waits at {_waiting_at(awaitable)}",
        )
    return task.result()


def to_await(value) -> Awaitable:
    """What a call gave that must be awaitable. Raises CheckFailed if it is not."""
    expect(
        inspect.isawaitable(value),
        "the caller awaits what the call gives: a plain function gives its result at once",
        got=f"{show(value)}, from a plain call",
        expected="something to await: the function must be `async def`",
    )
    return value


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
        return f"status {self.status}: {self.body[:300].decode(errors='replace')}"

    @property
    def media_type(self) -> str:
        """The content type without its parameters, such as charset."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def headers(self) -> dict[str, str]:
        pairs = self.sent[0].get("headers", ()) if self.sent else ()
        return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in pairs}

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
    """One POST to an ASGI app without a socket, on a loop of its own; the client afterwards."""
    return on_loop(ask(app, *bodies, path=path, messages=messages))


async def ask(app, *bodies: bytes, path: str = "/", messages=None) -> Client:
    """`call`, on the running loop."""
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
    await to_await(app(scope, client.receive, client.send))
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
