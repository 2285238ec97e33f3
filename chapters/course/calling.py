"""How graded checks call what they check: on a loop in debug mode, and an ASGI app by hand.

They never wait for time to pass; a watchdog turns a hang into a message and decides nothing.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from chapters.course.checking import expect, fail, show

WATCHDOG = 5.0  # seconds until something that should end is said to hang
HASTY = 1.0  # the same, once something has hung in this process
_patience = WATCHDOG


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
