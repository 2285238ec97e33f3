"""Draws a trace: who waited, who computed, who was written to, on one axis of time.

Shapes carry the meaning, not colours, so that a print in black and white tells the same.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure

from chapters.core.trace import ENDS, Event, peaks
from chapters.course.live import BEAT
from chapters.lessons.asking import Answer

DARK, MIDDLE, LIGHT = "#222222", "#777777", "#dddddd"
BLOCKED = {"facecolor": "white", "edgecolor": DARK, "hatch": "////", "linewidth": 0.5}
ANSWER_ID = re.compile(rb'"id": ?"(?:chatcmpl|cmpl)-([^"]+)"')
MARKS = {  # kind of event → marker, how it is called
    "received": ("|", "request received"),
    "answered": ("^", "status sent"),
    "finished": ("s", "last byte sent"),
    "abort asked": ("x", "abort asked"),
    "abort done": ("P", "abort done"),
    "kv freed": ("v", "KV cache freed"),
}


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


def timeline(
    events: Iterable[Event],
    title: str,
    whose: str,
    names: Iterable[str] = (),
    *,
    asked: Iterable[Answer] = (),
    loop: bool = False,
) -> Figure:
    """A row for each request: its wait, its forward passes, its marks; the three counters below.

    whose: what ran, for the caption; names: of the rows, else A, B, C …
    asked: draw the requests of these clients, in this order, each from when it was sent.
    loop: one more row: when the server's event loop was blocked.
    """
    events = list(events)
    drawn = rows(events, asked)
    start = min([event.time for event in events] + [row.began for row in drawn])
    names = list(names) or [chr(ord("A") + number) for number in range(len(drawn))]
    high = len(drawn) + loop
    figure, axes = plt.subplots(figsize=(9, 1.6 + 0.4 * high), layout="constrained")
    for number, row in enumerate(drawn):
        _draw_row(axes, number, row, start)
        if asked:
            axes.plot(row.began - start, number, "o", color=DARK, markerfacecolor="white", zorder=3)
    stood = blocked(events) if loop else []
    if loop:
        names.append("event loop")
        for began, ended in stood:
            axes.barh(len(drawn), ended - began, 0.5, began - start, **BLOCKED)
    axes.set_yticks(range(high), names)
    axes.set_ylim(high - 0.4, -0.6)
    axes.set_xlabel("time in seconds")
    axes.set_title(title, loc="left")
    _legend(axes, {e.kind for row in drawn for e in row.events}, sent=bool(asked), stood=stood)
    counted = peaks(events)
    figure.supxlabel(
        f"at most: requests unfinished at once: {counted.unfinished} · forward passes at one "
        f"instant: {counted.passes} · rows in a pass: {counted.rows}\n({whose})",
        fontsize=9,
    )
    return figure


def _draw_row(axes, number: int, row: Row, start: float) -> None:
    axes.hlines(number, row.began - start, row.ended - start, color=MIDDLE, linewidth=1)
    bars = passes(row.events)
    line = 0.5 if len(bars) < 60 else 0.2  # many bars must not run into a black one
    for began, ended, kind in bars:
        colour = DARK if kind == "prefill" else LIGHT
        axes.barh(
            number, ended - began, 0.5, began - start, color=colour, edgecolor=DARK, linewidth=line
        )
    for kind, (marker, _) in MARKS.items():
        times = [e.time - start for e in row.events if e.kind == kind]
        axes.plot(times, [number] * len(times), marker, color=DARK, markersize=7, zorder=3)


def _legend(axes, kinds: set[str], sent: bool, stood: list) -> None:
    bars = [
        plt.Rectangle((0, 0), 1, 1, facecolor=colour, edgecolor=DARK, label=label)
        for kind, colour, label in [("prefill", DARK, "prefill"), ("decode", LIGHT, "decode")]
        if kind in kinds
    ]
    if stood:
        bars.append(plt.Rectangle((0, 0), 1, 1, label="loop blocked", **BLOCKED))
    used = {"sent": ("o", "sent by the client")} if sent else {}
    used |= {kind: mark for kind, mark in MARKS.items() if kind in kinds}
    marks = [
        plt.Line2D(
            [],
            [],
            color=DARK,
            marker=marker,
            linestyle="",
            label=label,
            markerfacecolor="white" if marker == "o" else DARK,
        )
        for marker, label in used.values()
    ]
    axes.legend(
        handles=bars + marks, loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=8
    )


def show(figure: Figure, alt: str) -> None:
    """Display a figure with a text for those who cannot see it, and close it."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=100)
    plt.close(figure)
    picture = base64.b64encode(data.getvalue()).decode()
    display(
        {"image/png": picture, "text/plain": alt}, metadata={"image/png": {"alt": alt}}, raw=True
    )
