"""What happened to which request, and when: a record for checks, time-lines and the classroom.

Boundaries call `record`; code between them never does. While nobody watches, it costs one
test of a variable. Any thread may record.

The kinds of event, in the order a request usually meets them:

    received       the HTTP request has arrived            (method, path, client: its port, agent)
    submitted      it was handed to the worker
    admitted       the worker has taken it up
    prefill        a forward pass over the prompt begins   (tokens: how many)
    decode         a forward pass over one token begins
    token          that pass has ended with a token        (token: its id)
    kv freed       the keys and values are gone            (tokens: how many)
    delivered      a reply has reached its owner           (text)
    discarded      a reply found no owner                  (text)
    abort asked    the HTTP side no longer wants it
    abort done     the worker has dropped it
    answered       the response's status has left          (status)
    finished       the response's last byte has left
    failed         the request ended in an exception       (error)
    left           it ended with its response unfinished: its client had gone
"""

from __future__ import annotations

import contextvars
import itertools
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

CAPACITY = 100_000
ENDS = ("finished", "failed", "left")  # of an HTTP request: one of these

# Which HTTP request the running code serves; set by `Traced`, copied by asyncio into its tasks.
lane: contextvars.ContextVar[str | None] = contextvars.ContextVar("lane", default=None)


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened.

    time: seconds on `time.perf_counter`'s clock.
    uid: the internal id of the request, or else the lane; lane: the HTTP request, if known.
    """

    time: float
    kind: str
    uid: str | None
    lane: str | None
    data: dict = field(default_factory=dict)


class Watch:
    """The events since it was opened: a bounded ring, and a way to wait for one of them."""

    def __init__(self, capacity: int = CAPACITY):
        self._events: deque[Event] = deque(maxlen=capacity)
        self._changed = threading.Condition()

    def __iter__(self) -> Iterator[Event]:
        with self._changed:
            return iter(list(self._events))

    def of(self, kind: str, uid: str | None = None) -> list[Event]:
        """The events of this kind, of one request if `uid` is given."""
        return [e for e in self if e.kind == kind and uid in (None, e.uid, e.lane)]

    def wait(self, enough: Callable[[list[Event]], bool], *, watchdog: float = 10.0) -> list[Event]:
        """Blocks this thread until `enough(events)`; returns the events.

        Raises TimeoutError after `watchdog` seconds, so that a hang becomes a message.
        """
        deadline = time.monotonic() + watchdog
        with self._changed:
            while not enough(list(self._events)):
                if not self._changed.wait(deadline - time.monotonic()):
                    seen = ", ".join(e.kind for e in self._events) or "nothing"
                    raise TimeoutError(f"waited {watchdog:g} s in vain; the trace shows: {seen}")
            return list(self._events)

    def wait_for(self, kind: str, count: int = 1, *, watchdog: float = 10.0) -> list[Event]:
        """Blocks until `count` events of this kind have been recorded; returns those."""
        events = self.wait(lambda es: sum(e.kind == kind for e in es) >= count, watchdog=watchdog)
        return [e for e in events if e.kind == kind]

    def add(self, event: Event) -> None:
        """Keep one more event, the oldest going where there is no room. Any thread."""
        with self._changed:
            self._events.append(event)
            self._changed.notify_all()


_hearers: tuple[Callable[[Event], None], ...] = ()
_lock = threading.Lock()
_lanes = itertools.count(1)


def record(kind: str, uid: str | None = None, **data) -> None:
    """Note that `kind` happened to request `uid`, or to the HTTP request being served."""
    if _hearers:
        here = lane.get()
        event = Event(time.perf_counter(), kind, uid or here, here, data)
        for hear in _hearers:
            hear(event)


@contextmanager
def hearing(hear: Callable[[Event], None]) -> Iterator[None]:
    """Inside the `with` block, `hear(event)` is called for each event, in whatever thread it is."""
    global _hearers
    with _lock:
        _hearers += (hear,)
    try:
        yield
    finally:
        with _lock:
            _hearers = tuple(h for h in _hearers if h is not hear)


@contextmanager
def watching(capacity: int = CAPACITY) -> Iterator[Watch]:
    """Record what happens inside the `with` block; yields the `Watch` that holds it."""
    watch = Watch(capacity)
    with hearing(watch.add):
        yield watch


@dataclass(frozen=True, slots=True)
class Peaks:
    """The three counters that keep concurrency, parallelism and batching apart, at their most.

    unfinished: requests received and not finished, at once (concurrency).
    passes: forward passes under way at one instant (parallelism).
    rows: requests that share one forward pass (batching).
    """

    unfinished: int
    passes: int
    rows: int


def peaks(events: Iterable[Event]) -> Peaks:
    """The peaks of a run, from its events; only requests to generate are counted."""
    open_lanes, computing = set(), set()
    unfinished = passes = rows = 0
    for event in events:
        if event.kind == "received" and event.data["method"] == "POST":
            open_lanes.add(event.lane)
        elif event.kind in ENDS:
            open_lanes.discard(event.lane)
        elif event.kind in ("prefill", "decode"):
            computing.add(event.uid)
            rows = max(rows, event.data.get("rows", 1))
        elif event.kind in ("token", "kv freed"):
            computing.discard(event.uid)
        unfinished, passes = max(unfinished, len(open_lanes)), max(passes, len(computing))
    return Peaks(unfinished, passes, rows)


class Traced:
    """An ASGI layer that gives each HTTP request a lane and records its ends."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        finished = False

        async def noted(message):
            nonlocal finished
            await send(message)
            if message["type"] == "http.response.start":
                record("answered", status=message["status"])
            elif message["type"] == "http.response.body" and not message.get("more_body"):
                finished = True
                record("finished")

        token = lane.set(f"request-{next(_lanes)}")
        if _hearers:
            record("received", **_described(scope))
        try:
            await self.app(scope, receive, noted)
            if not finished:
                record("left")
        except BaseException as error:
            record("failed", error=f"{type(error).__name__}: {error}")
            raise
        finally:
            lane.reset(token)


def _described(scope) -> dict:
    """What `received` says of a request."""
    agent = dict(scope.get("headers", ())).get(b"user-agent", b"").decode("latin-1")
    client = (scope.get("client") or (None, None))[1]
    return {"method": scope["method"], "path": scope["path"], "client": client, "agent": agent}
