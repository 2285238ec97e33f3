"""The path of one request, from its trace: each line, and which of the seven stages it is in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from chapters.core.trace import Event
from chapters.lessons.asking import Answer
from chapters.lessons.drawing import DARK, LIGHT, MIDDLE
from chapters.lessons.traces import passes, rows

STAGES = {
    1: "client",
    2: "API server",
    3: "tokenizer",
    4: "scheduler",
    5: "engine",
    6: "detokenizer",
    7: "way back",
}
TOKENISED, DETOKENISED = "(between) 1", "(between) 2"
SILENT = {"received": TOKENISED, "token": DETOKENISED}  # what must follow, and leaves no line
RIGHT = {  # kind of line → the stages that it may be counted to
    "sent": {1},
    "received": {2},
    TOKENISED: {3},
    "submitted": {2, 4},
    "admitted": {4},
    "prefill": {5},
    "decode": {5},
    "token": {5},
    DETOKENISED: {6},
    "delivered": {7},
    "answered": {7},
    "read": {7},
    "kv freed": {5},
    "finished": {7},
}

BACK = ("token", DETOKENISED, "delivered", "answered", "read", "finished")
AWAY = ("decode", "kv freed")  # neither on the way down nor on the way back


@dataclass(frozen=True)
class Line:
    """One line of the story; `time` in seconds since the client began to send."""

    time: float
    kind: str
    detail: str = ""

    @property
    def stage(self) -> int:
        return max(RIGHT[self.kind])


def story(answer: Answer, events: Iterable[Event]) -> list[Line]:
    """What happened to one answer, in order: the client's own notes and the server's trace.

    Kinds of event that belong to no stage are left out. Two stages leave no line of their own:
    where they must have been stands a line "(between)".
    """
    own = rows(events, [answer])[0].events
    told = [Line(e.time - answer.sent, e.kind, _detail(e)) for e in own if e.kind in RIGHT]
    told += [
        Line(read.time - answer.sent, "read", f"{len(read.data)} bytes") for read in answer.reads
    ]
    told.sort(key=lambda line: line.time)
    found = [Line(0.0, "sent")]
    for line, after in zip(told, [*told[1:], None], strict=True):
        found.append(line)
        if after and line.kind in SILENT:
            found.append(Line((line.time + after.time) / 2, SILENT[line.kind]))
    return found


def _detail(event: Event) -> str:
    shown = {"path", "tokens", "token", "status"}
    return ", ".join(f"{name} {value}" for name, value in event.data.items() if name in shown)


def label(lines: Iterable[Line], labels: Mapping[str, int | None]) -> None:
    """Print the lines with the reader's labels, and what they are worth."""
    worth = {kind: _worth(kind, labels) for kind in RIGHT}
    for line in lines:
        number = labels.get(line.kind)
        name = f"{number} {STAGES.get(number, '')}" if number else "?"
        time = " " * 9 if line.kind in (TOKENISED, DETOKENISED) else f"{1000 * line.time:6.0f} ms"
        print(f"{time}  {line.kind:12} {line.detail:30} {name:14} {worth[line.kind]}".rstrip())
    met = {line.kind for line in lines}
    print(f"\n{sum(worth[kind] == 'yes' for kind in met)} of {len(met)} kinds of line are labelled")


def _worth(kind: str, labels: Mapping[str, int | None]) -> str:
    number = labels.get(kind)
    if not number:
        return ""
    return "yes" if number in RIGHT[kind] else "look again"


def share(answer: Answer, events: Iterable[Event]) -> float:
    """Which part of the client's time forward passes were under way."""
    own = rows(events, [answer])[0].events
    return sum(ended - began for began, ended, _ in passes(own)) / answer.took


def draw(answer: Answer, events: Iterable[Event], words: Iterable[str], whose: str) -> Figure:
    """The way down as a line, the forward passes as bars, and each token's way back as a line.

    words: what stands above the bars, such as the text of each pass's token.
    """
    events = list(events)
    lines, own = story(answer, events), rows(events, [answer])[0].events
    figure, axes = plt.subplots(figsize=(9, 3.9), layout="constrained")
    for (began, ended, kind), word in zip(passes(own), words, strict=False):
        colour = DARK if kind == "prefill" else LIGHT
        left, width = began - answer.sent, ended - began
        axes.barh(5, width, 0.5, left, color=colour, edgecolor=DARK)
        axes.text(left + width / 2, 4.65, word, ha="center", va="bottom", fontsize=8)
    down = RIGHT.keys() - {*BACK, *AWAY}
    _way(axes, [line for line in lines if line.kind in down])
    starts = [number for number, line in enumerate(lines) if line.kind == "token"]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        _way(axes, [line for line in lines[start:end] if line.kind in BACK])
    axes.set_yticks(list(STAGES), [f"{number} {name}" for number, name in STAGES.items()])
    axes.set_ylim(7.6, 0.4)
    axes.set_xlabel("time in seconds")
    axes.set_title("Down once; then for each token through the engine and back", loc="left")
    figure.supxlabel(
        f"bars: forward passes, the dark one the prefill; above each, its token\n({whose})",
        fontsize=9,
    )
    return figure


def _way(axes, lines: list[Line]) -> None:
    times, heights = [line.time for line in lines], [line.stage for line in lines]
    axes.plot(times, heights, "o-", color=MIDDLE, markersize=4, mfc=DARK, mec=DARK)
