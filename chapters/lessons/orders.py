"""Who is served when: the same requests in two orders, and at two kinds of entry."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import mean

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from chapters.course.live import LiveServer
from chapters.lessons.asking import Answer, ask, together
from chapters.lessons.drawing import DARK, MIDDLE


def ends(server: LiveServer, lengths: Sequence[int]) -> list[float]:
    """Requests of these lengths, in tokens, come to a gated server, and then its gate opens.

    For each, the seconds from the opening to the last byte of its answer. The gate lets as many
    passes through as are needed, so the server can be asked again.
    """
    before = len(server.watch.of("submitted"))
    with ThreadPoolExecutor(len(lengths)) as pool:
        asked = []
        for number, length in enumerate(lengths, start=1):
            fields = {"max_tokens": length, "ignore_eos": True}
            asked.append(pool.submit(ask, server, f"caller {number}", **fields))
            server.watch.wait_for("submitted", before + number)
        opened = time.perf_counter()
        server.allow(sum(lengths))
        return [answer.result().reads[-1].time - opened for answer in asked]


def two_orders(
    measured: Mapping[str, Mapping[str, Sequence[float]]], title: str, whose: str
) -> Figure:
    """A panel for each set of requests and each order: when each ends, and their average.

    measured: the set's name → the order's name → the ends, in seconds.
    """
    orders = list(next(iter(measured.values())))
    figure, grid = plt.subplots(
        len(measured),
        len(orders),
        figsize=(9, 5),
        sharex="row",
        sharey="row",
        squeeze=False,
        layout="constrained",
    )
    for panels, (requests, by_order) in zip(grid, measured.items(), strict=True):
        for axes, order in zip(panels, orders, strict=True):
            times = by_order[order]
            axes.hlines(range(len(times)), 0, times, color=MIDDLE)
            axes.plot(times, range(len(times)), "s", color=DARK)
            axes.axvline(mean(times), color=DARK, linestyle="--")
            axes.set_title(f"{requests}, {order}: {mean(times):.2f} s on average", fontsize=9)
            axes.set_yticks(range(len(times)), range(1, len(times) + 1), fontsize=8)
            axes.set_ylim(len(times) - 0.5, -0.5)
            axes.set_xlim(0, 1.05 * max(max(ended) for ended in by_order.values()))
        panels[0].set_ylabel("request")
    for axes in grid[-1]:
        axes.set_xlabel("seconds until it ends (■), average (dashed)")
    figure.suptitle(title, x=0.01, ha="left")
    figure.supxlabel(f"({whose})", fontsize=9)
    return figure


def long_then_short(*entries: LiveServer) -> list[Answer]:
    """A long request to each entry; once all are computed, a short one to the first. All answers.

    The short one's is the last.
    """

    def short() -> Answer:
        for entry in entries:
            entry.watch.wait_for("prefill")
        return ask(entries[0], "short", max_tokens=5)

    long = [lambda at=at: ask(at, "long", max_tokens=60, ignore_eos=True) for at in entries]
    return together([*long, short])
