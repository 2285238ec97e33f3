"""Clients that leave: what the server still computes for them, and what is freed when."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from chapters.core.trace import Event
from chapters.course.live import LiveServer
from chapters.lessons.asking import request_bytes
from chapters.lessons.drawing import DARK, LIGHT, MIDDLE
from chapters.lessons.events import asked, reads_of
from chapters.lessons.traces import lanes, passes
from chapters.lessons.waits import counted


@dataclass(frozen=True)
class Left:
    """One request whose client has left: when it did, and all that happened to the request."""

    name: str
    time: float
    events: list[Event]

    @property
    def late(self) -> list[tuple[float, float, str]]:
        """The forward passes that began after the client had left."""
        return [made for made in passes(self.events) if made[0] > self.time]

    @property
    def freed(self) -> float:
        """Seconds from leaving to the KV cache being freed."""
        return next(e.time for e in self.events if e.kind == "kv freed") - self.time


def leave(server: LiveServer, name: str, tokens: int, **fields) -> Left:
    """Ask, and close the connection when `tokens` tokens have been computed.

    A client that streams has read their events by then. fields: of the request's body.
    """
    computed, freed = (len(server.watch.of(kind)) for kind in ("token", "kv freed"))
    with asked(server, request_bytes({"prompt": "Once", "ignore_eos": True, **fields})) as away:
        if fields.get("stream"):
            seen, reads = 0, reads_of(away)
            while seen < tokens:
                seen += next(reads).data.count(b"data: ")
        server.watch.wait_for("token", computed + tokens)
    left = time.perf_counter()
    server.watch.wait_for("kv freed", freed + 1, watchdog=60)
    return Left(name, left, list(lanes(server.watch).values())[-1])


def spent(runs: Sequence[Left], title: str, whose: str) -> Figure:
    """A row for each run: its forward passes, those for nobody hatched; a line where it left."""
    figure, axes = plt.subplots(figsize=(9, 1.5 + 0.45 * len(runs)), layout="constrained")
    for row, run in enumerate(runs):
        start = run.events[0].time
        for began, ended, _ in passes(run.events):
            late = began > run.time
            look = {"color": "white", "hatch": "////"} if late else {"color": LIGHT}
            look |= {"edgecolor": DARK, "linewidth": 0.5}
            axes.barh(row, ended - began, 0.5, began - start, **look)
        axes.plot([run.time - start] * 2, [row - 0.42, row + 0.42], color=DARK, linewidth=3)
        end = max(ended for _, ended, _ in passes(run.events)) - start
        count = f" {len(passes(run.events))} passes, {len(run.late)} for nobody"
        axes.text(end, row, count, va="center", fontsize=9)
    axes.set_yticks(range(len(runs)), [run.name for run in runs])
    axes.set_ylim(len(runs) - 0.4, -0.6)
    axes.set_xlim(0, 1.45 * axes.get_xlim()[1])
    axes.set_xlabel("seconds since the request was received")
    axes.set_title(title, loc="left")
    figure.supxlabel(
        "thick line: the client leaves · grey: passes begun before · hatched: begun afterwards\n"
        f"{counted(*(run.events for run in runs))}\n({whose})",
        fontsize=9,
    )
    return figure


@dataclass(frozen=True)
class Stopped:
    """The moments around one forward pass that was held while its reader pressed stop."""

    began: float
    pressed: float
    asked: float  # the HTTP side has noticed, and tells the worker
    ended: float  # the pass
    freed: float
    events: list[Event]

    def ms(self, moment: float) -> float:
        """Milliseconds since the pass began."""
        return 1000 * (moment - self.began)


def press_stop(server: LiveServer, request: bytes, before: float | None, after: float) -> Stopped:
    """Hold the third forward pass of a gated server, press stop in the middle of it, let it end.

    before: how long the pass is held, in seconds, until stop is pressed; None: until somebody
        presses Enter. after: how long it is held then.
    """
    server.allow(2)
    with asked(server, request):
        began = server.watch.wait_for("decode", 2, watchdog=60)[1].time
        if before is None:
            input("The answer is streaming. Enter = stop")
        else:
            time.sleep(before)
    pressed = time.perf_counter()
    time.sleep(after)
    server.open()
    server.watch.wait_for("abort done")
    freed = server.watch.of("kv freed")[0].time
    told = server.watch.wait_for("abort asked")[0].time
    ended = server.watch.of("token")[2].time
    return Stopped(began, pressed, told, ended, freed, list(server.watch))


def three_moments(run: Stopped, title: str, whose: str) -> Figure:
    """Who did what around the held pass, above; the bytes of the KV cache, below; one axis."""
    figure, (who, memory) = plt.subplots(
        2, figsize=(9, 4.2), sharex=True, layout="constrained", height_ratios=[3, 2]
    )
    until = 1.15 * run.ms(run.freed)
    start = -0.1 * until
    who.barh(0, run.ms(run.pressed) - start, 0.35, start, color=LIGHT, edgecolor=DARK)
    who.barh(2, run.ms(run.ended), 0.35, color=LIGHT, edgecolor=DARK)
    who.text(run.ms(run.ended) / 2, 2, "one forward pass, held", ha="center", va="center")
    marks = [("x", run.pressed, 0, "stop pressed"), ("o", run.asked, 1, "noticed, abort sent")]
    for marker, moment, row, name in [*marks, ("v", run.freed, 2, "freed")]:
        who.plot(run.ms(moment), row, marker, color=DARK, markersize=9, markeredgewidth=2)
        left = row == 2
        who.annotate(
            f"{name}: {run.ms(moment):.0f} ms",
            (run.ms(moment), row),
            xytext=(-8 if left else 10, 16 if left else 0),
            textcoords="offset points",
            ha="right" if left else "left",
            va="center",
        )
        for axes in (who, memory):
            axes.axvline(run.ms(moment), color=MIDDLE, linewidth=0.8, linestyle=":")
    who.set_yticks(range(3), ["client reads", "API server", "worker"])
    who.set_ylim(2.6, -0.6)
    who.set_title(title, loc="left")
    held = [(run.ms(e.time), e.data["bytes"] / 1000) for e in run.events if e.kind == "kv bytes"]
    times, sizes = zip(*held, strict=True)
    memory.step([*times, until], [*sizes, sizes[-1]], where="post", color=DARK)
    memory.set_xlim(start, until)
    memory.set_ylim(bottom=0)
    memory.set_ylabel("KV cache in kB")
    memory.set_xlabel("milliseconds since the held pass began")
    figure.supxlabel(f"{counted(run.events)}\n({whose})", fontsize=9)
    return figure


def happened(events: Iterable[Event], kinds: Iterable[str]) -> str:
    """These kinds of event, in the order in which they happened, as one line."""
    return " → ".join(event.kind for event in events if event.kind in kinds)


def after_leaving(server: LiveServer, tokens: int, patience: float = 2) -> str:
    """What a client that leaves after some tokens of 60 leaves behind, in words.

    patience: seconds to wait for the KV cache to be freed, before it counts as kept.
    """
    request = {"prompt": "Once", "max_tokens": 60, "ignore_eos": True, "stream": True}
    with asked(server, request_bytes(request)):
        server.watch.wait_for("token", tokens)
    left = time.perf_counter()
    try:
        freed = server.watch.wait_for("kv freed", watchdog=patience)[0].time
        memory = f"KV cache freed {1000 * (freed - left):.0f} ms after it left"
    except TimeoutError:
        memory = f"KV cache still there after {patience} s"
    late = sum(began > left for began, _, _ in passes(server.watch))
    return f"{late:2} passes for nobody, {memory}"
