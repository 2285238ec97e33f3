"""A trace, put in order: whose event is whose, who computed when, when the loop stood still."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from chapters.core.trace import ENDS, Event
from chapters.course.live import BEAT
from chapters.lessons.asking import Answer

ANSWER_ID = re.compile(rb'"id": ?"(?:chatcmpl|cmpl)-([^"]+)"')


def lanes(events: Iterable[Event]) -> dict[str, list[Event]]:
    """The events of each HTTP request that generates, by lane, in the order they came.

    An event of the worker knows only its uid; the one that knows both ties them together.
    """
    events = list(events)
    tied = {e.uid: e.lane for e in events if e.lane and e.uid}
    asked = [e.lane for e in events if e.kind == "received" and e.data["method"] == "POST"]
    return {lane: [e for e in events if tied.get(e.uid, e.lane) == lane] for lane in asked}


def passes(events: Iterable[Event]) -> list[tuple[float, float, str]]:
    """(start, end, "prefill" or "decode") of each forward pass of one request."""
    found, began = [], None
    for event in events:
        if event.kind in ("prefill", "decode"):
            began = event
        elif event.kind in ("token", "kv freed") and began:
            found.append((began.time, event.time, began.kind))
            began = None
    return found


def merged(*watches: Iterable[Event]) -> list[Event]:
    """The events of several servers as one trace, in the order of their times.

    Each server numbers its requests from 1; here its own number goes before that.
    """
    told = [
        replace(
            event,
            uid=event.uid and f"{number}:{event.uid}",
            lane=event.lane and f"{number}:{event.lane}",
        )
        for number, watch in enumerate(watches, 1)
        for event in watch
    ]
    return sorted(told, key=lambda event: event.time)


def blocked(events: Iterable[Event]) -> list[tuple[float, float]]:
    """(start, end) of each time in which the server's event loop answered nobody.

    It is noticed when a sign of life has been missing for a while: that while belongs to it.
    """
    found, since, last = [], None, None
    for event in events:
        last = event.time
        if event.kind == "loop blocked":
            since = event.time - BEAT
        elif event.kind == "loop free" and since is not None:
            found.append((since, event.time))
            since = None
    return found if since is None else [*found, (since, last)]


@dataclass(frozen=True)
class Row:
    """One request on a time-line: from when to when it was on its way, and its events."""

    began: float
    ended: float
    events: list[Event]


def rows(events: Iterable[Event], asked: Iterable[Answer] = ()) -> list[Row]:
    """A row for each generating request, as the server saw it: from received to finished.

    asked: the clients' answers; then a row for each of them, in their order, as its client saw
    it: from sent to the last byte. A request that does not generate has a row then, too.
    """
    events, asked = list(events), list(asked)
    if asked:
        owned = _owned(asked, events)
        return [Row(a.sent, a.ended, owned[number]) for number, a in enumerate(asked)]
    found = []
    for own in lanes(events).values():
        ends = [e.time for e in own if e.kind in ENDS] or [own[-1].time]
        found.append(Row(own[0].time, max(ends), own))
    return found


def _owned(asked: list[Answer], events: list[Event]) -> list[list[Event]]:
    """The events of each answer: by the id in its body, or else by its times."""
    tied = {e.uid: e.lane for e in events if e.lane and e.uid and e.uid != e.lane}
    of_lane: dict[str, list[Event]] = {}
    for event in events:
        of_lane.setdefault(tied.get(event.uid, event.lane), []).append(event)
    free = [own for lane, own in of_lane.items() if lane and lane not in tied.values()]
    found = []
    for answer in asked:
        named = ANSWER_ID.search(answer.raw)
        own = of_lane.get(tied.get(named[1].decode())) if named else None
        inside = (o for o in free if answer.sent <= o[0].time <= answer.ended)
        if own is None and (own := next(inside, None)):
            free.remove(own)
        found.append(own or [])
    return found
