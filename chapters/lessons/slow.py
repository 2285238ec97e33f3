"""A client that stays and reads nothing: what waits for it, and where."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from chapters.course.live import LiveServer
from chapters.lessons.asking import Answer, request_bytes
from chapters.lessons.drawing import DARK, LIGHT, MIDDLE
from chapters.lessons.events import asked, reads_of, told, unchunked

Curve = list[tuple[float, int]]  # (seconds since the request was sent, bytes by then)


@dataclass(frozen=True)
class Held:
    """Three curves over time, in bytes of the response's body.

    computed: of the events whose reply has reached the HTTP side; taken: handed to the
    connection; read: by the client. began: when the client began to read.
    """

    computed: Curve
    taken: Curve
    read: Curve
    began: float

    def most(self) -> tuple[int, int]:
        """What waited when the client began to read: (in the server, in the connection)."""
        computed, taken = (_at(curve, [self.began])[0] for curve in (self.computed, self.taken))
        return int(computed - taken), int(taken)


def stay_without_reading(server: LiveServer, tokens: int, buffer: int) -> tuple[Held, dict]:
    """Ask for so many tokens, read none until all are computed, then read everything.

    buffer: bytes that the system keeps for this client. Returns the curves, and what /stats said
    just before the client began to read.
    """
    body = {"prompt": "Once", "max_tokens": tokens, "ignore_eos": True, "stream": True}
    sent = time.perf_counter()
    with asked(server, request_bytes(body), buffer) as connection:
        server.watch.wait_for("delivered", tokens, watchdog=60)
        stats = _stats(server)
        began = time.perf_counter()
        answer = Answer(sent, list(reads_of(connection)))
    server.watch.wait_for("finished", 2)  # /stats, and this one
    return Held(*_curves(server, answer), began - sent), stats


def _stats(server: LiveServer) -> dict:
    with asked(server, request_bytes(b"", "/stats", "GET")) as connection:
        return Answer(0, list(reads_of(connection))).json


def _curves(server: LiveServer, answer: Answer) -> tuple[Curve, Curve, Curve]:
    body, where = unchunked(answer.raw)
    ends = [bisect_left(where, event.end) for event in told(answer) if event.text]
    lane = server.watch.of("received")[0].lane
    delivered = [event.time - answer.sent for event in server.watch.of("delivered")]
    written = [event for event in server.watch.of("written") if event.lane == lane]
    taken = accumulate(event.data["bytes"] for event in written)
    so_far = accumulate(len(read.data) for read in answer.reads)
    return (
        list(zip(delivered, ends, strict=True)),
        list(zip([event.time - answer.sent for event in written], taken, strict=True)),
        [
            (read.time - answer.sent, bisect_left(where, size))
            for read, size in zip(answer.reads, so_far, strict=True)
        ],
    )


def _at(curve: Curve, moments: Sequence[float]) -> np.ndarray:
    """The curve's height at each of these moments: 0 before its first point."""
    times, sizes = np.array(curve).T
    return np.append(0, sizes)[np.searchsorted(times, moments, side="right")]


def piled_up(held: Held, title: str, whose: str) -> Figure:
    """The three curves; between them what waits in the server, and in the connection."""
    figure, axes = plt.subplots(figsize=(9, 3.8), layout="constrained")
    curves = held.computed, held.taken, held.read
    moments = sorted({0.0, *(at for curve in curves for at, _ in curve)})
    moments.append(1.08 * moments[-1])
    computed, taken, read = (_at(curve, moments) / 1000 for curve in curves)
    axes.fill_between(moments, computed, taken, hatch="//", facecolor="white", edgecolor=MIDDLE)
    axes.fill_between(moments, taken, read, color=LIGHT)
    axes.plot(moments, computed, color=DARK, linewidth=2, label="computed for this client")
    axes.plot(moments, taken, "--", color=DARK, label="taken by the connection")
    axes.plot(moments, read, ":", color=DARK, linewidth=2, label="read by the client")
    axes.axvline(held.began, color=MIDDLE, linewidth=0.8)
    axes.set_xlabel("seconds since the request was sent")
    axes.set_ylabel("kB of the response")
    axes.set_title(title, loc="left")
    axes.legend(loc="upper left", frameon=False)
    figure.supxlabel(
        "hatched: waits in the server's memory · grey: waits in the connection's buffers · thin "
        f"line: the client begins to read\n({whose})",
        fontsize=9,
    )
    return figure
