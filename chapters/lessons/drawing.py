"""Draws a trace: who waited, who computed, who was written to, on one axis of time.

Shapes carry the meaning, not colours, so that a print in black and white tells the same.
"""

from __future__ import annotations

import io
from collections.abc import Iterable

import matplotlib.pyplot as plt
from IPython.display import Image, display
from matplotlib.figure import Figure

from chapters.core.trace import Event, peaks

DARK, MIDDLE, LIGHT = "#222222", "#777777", "#dddddd"
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


def timeline(events: Iterable[Event], title: str, whose: str, names: Iterable[str] = ()) -> Figure:
    """A row for each request: its wait, its forward passes, its marks; the three counters below.

    whose: what ran, for the caption; names: of the rows, else A, B, C …
    """
    events = list(events)
    rows = lanes(events)
    start = min(event.time for event in events)
    names = list(names) or [chr(ord("A") + number) for number in range(len(rows))]
    figure, axes = plt.subplots(figsize=(9, 1.6 + 0.4 * len(rows)), layout="constrained")
    for row, own in enumerate(rows.values()):
        ends = [e.time for e in own if e.kind in ("finished", "failed")] or [own[-1].time]
        axes.hlines(row, own[0].time - start, max(ends) - start, color=MIDDLE, linewidth=1)
        for began, ended, kind in passes(own):
            colour = DARK if kind == "prefill" else LIGHT
            axes.barh(
                row, ended - began, 0.5, began - start, color=colour, edgecolor=DARK, linewidth=0.5
            )
        for kind, (marker, _) in MARKS.items():
            times = [e.time - start for e in own if e.kind == kind]
            axes.plot(times, [row] * len(times), marker, color=DARK, markersize=7, zorder=3)
    axes.set_yticks(range(len(rows)), names)
    axes.invert_yaxis()
    axes.set_xlabel("time in seconds")
    axes.set_title(title, loc="left")
    _legend(axes, {e.kind for own in rows.values() for e in own})
    counted = peaks(events)
    figure.supxlabel(
        f"at most: {counted.unfinished} requests unfinished at once · {counted.passes} forward "
        f"passes at one instant · {counted.rows} rows in a pass\n({whose})",
        fontsize=9,
    )
    return figure


def _legend(axes, kinds: set[str]) -> None:
    bars = [
        plt.Rectangle((0, 0), 1, 1, facecolor=colour, edgecolor=DARK, label=label)
        for kind, colour, label in [("prefill", DARK, "prefill"), ("decode", LIGHT, "decode")]
        if kind in kinds
    ]
    marks = [
        plt.Line2D([], [], color=DARK, marker=marker, linestyle="", label=label)
        for kind, (marker, label) in MARKS.items()
        if kind in kinds
    ]
    axes.legend(
        handles=bars + marks, loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize=8
    )


def show(figure: Figure, alt: str) -> None:
    """Display a figure with a text for those who cannot see it, and close it."""
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=100)
    plt.close(figure)
    display(Image(data.getvalue(), alt=alt))
