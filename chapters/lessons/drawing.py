"""Draws a trace: who waited, who computed, who was written to, on one axis of time.

Shapes carry the meaning, not colours, so that a print in black and white tells the same.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable

import matplotlib.pyplot as plt
from IPython.display import display
from matplotlib.figure import Figure

from chapters.core.trace import Event, peaks
from chapters.lessons.asking import Answer
from chapters.lessons.traces import Row, blocked, passes, rows

DARK, MIDDLE, LIGHT = "#222222", "#777777", "#dddddd"
BLOCKED = {"facecolor": "white", "edgecolor": DARK, "hatch": "////", "linewidth": 0.5}
MARKS = {  # kind of event → marker, how it is called
    "received": ("|", "request received"),
    "answered": ("^", "status sent"),
    "finished": ("s", "last byte sent"),
    "abort asked": ("x", "abort asked"),
    "abort done": ("P", "abort done"),
    "kv freed": ("v", "KV cache freed"),
}


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
