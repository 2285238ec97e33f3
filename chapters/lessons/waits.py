"""Draws two requests one below the other, each from its own beginning: whole, and streamed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from chapters.core.trace import Event, peaks
from chapters.lessons.asking import Answer
from chapters.lessons.drawing import DARK, LIGHT
from chapters.lessons.events import told
from chapters.lessons.traces import lanes, passes


def text_times(answer: Answer) -> list[float]:
    """When the client had new text to show, in seconds since it asked."""
    if b"text/event-stream" not in answer.raw:
        return [answer.took]
    return [event.time - answer.sent for event in told(answer) if event.text]


def counted(*traces: Iterable[Event]) -> str:
    """The three counters of these traces, each at its most, as a line for a caption."""
    found = [peaks(events) for events in traces]
    unfinished, passes, rows = (
        max(getattr(one, name) for one in found) for name in ("unfinished", "passes", "rows")
    )
    return (
        f"at most: requests unfinished at once: {unfinished} · forward passes at one instant: "
        f"{passes} · rows in a pass: {rows}"
    )


def side_by_side(
    events: Iterable[Event], answers: Mapping[str, Answer], title: str, whose: str
) -> Figure:
    """For each answer two rows on one axis: the server's forward passes, the client's text.

    answers: how it is called → an answer, in the order in which the server received them.
    """
    events, names = list(events), []
    figure, axes = plt.subplots(figsize=(9, 3.2), layout="constrained")
    for (name, answer), own in zip(answers.items(), lanes(events).values(), strict=True):
        row, made, texts = len(names), passes(own), text_times(answer)
        for began, ended, _ in made:
            start = began - answer.sent
            axes.barh(row, ended - began, 0.5, start, color=LIGHT, edgecolor=DARK, linewidth=0.5)
        axes.plot(texts, [row + 1] * len(texts), "|", color=DARK, markersize=14)
        axes.plot(texts[-1:], [row + 1], "s", color=DARK, markersize=7)
        names += [f"{name}: {len(made)} passes", f"{name}: client has text"]
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.set_xlabel("seconds since the request was sent")
    axes.set_title(title, loc="left")
    figure.supxlabel(
        "boxes: forward passes · strokes: new text arrives · square: the last of it\n"
        f"{counted(events)}\n({whose})",
        fontsize=9,
    )
    return figure
