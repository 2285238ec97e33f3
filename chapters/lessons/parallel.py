"""Concurrency, parallelism and batching side by side: several runs, one axis of time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from chapters.core.trace import Event, peaks
from chapters.course.live import LiveServer
from chapters.lessons.asking import together
from chapters.lessons.batching import TOGETHER
from chapters.lessons.drawing import DARK, LIGHT, MIDDLE
from chapters.lessons.traces import lanes, merged, passes

COUNTERS = "requests unfinished at once / forward passes at one instant / rows in a pass"


@contextmanager
def started(*starts: Callable) -> Iterator[list]:
    """Start several processes at the same time; all are ended when the block is left."""
    with ExitStack() as stack, ThreadPoolExecutor(len(starts)) as pool:
        futures = [pool.submit(start) for start in starts]
        failed = [future.exception() for future in futures]
        running = [stack.enter_context(f.result()) for f in futures if not f.exception()]
        for error in filter(None, failed):
            raise error
        yield running


def recorded(*visits: tuple[LiveServer, Sequence[Callable]]) -> tuple[list, list[Event]]:
    """Make all calls at the same time; their results, and what the servers' traces tell of them.

    visits: a server, and calls each of which sends it one request.
    """
    before = [len(list(server.watch)) for server, _ in visits]
    finished = [len(server.watch.of("finished")) for server, _ in visits]
    results = together([call for _, calls in visits for call in calls])
    for (server, calls), count in zip(visits, finished, strict=True):
        server.watch.wait_for("finished", count + len(calls))
    news = [list(server.watch)[n:] for (server, _), n in zip(visits, before, strict=True)]
    return results, merged(*news)


def counters(events: Iterable[Event]) -> str:
    """The three counters of a run, as 10/1/1."""
    counted = peaks(events)
    return f"{counted.unfinished}/{counted.passes}/{counted.rows}"


def seconds(events: Iterable[Event]) -> float:
    """From the first forward pass to the end of the last."""
    done = passes_of_all(events)
    return max(end for _, end, _ in done) - min(start for start, _, _ in done)


def table(runs: Mapping[str, list[Event]], tokens: int) -> str:
    """The runs as text, a line each: counters, forward passes, seconds, tokens a second.

    tokens: how many were computed in each run. The speed is that of the first run, so many times.
    """
    lines = [f"{'':24}{'counters':>9}{'passes':>8}{'seconds':>9}{'tokens/s':>10}{'speed':>8}"]
    first = seconds(next(iter(runs.values())))
    for name, events in runs.items():
        took = seconds(events)
        lines.append(
            f"{name:24}{counters(events):>9}{len(passes_of_all(events)):>8}{took:>9.2f}"
            f"{tokens / took:>10.0f}{first / took:>7.1f}×"
        )
    return "\n".join(lines)


def passes_of_all(events: Iterable[Event]) -> list[tuple[float, float, str]]:
    """(start, end, kind) of every forward pass, whoever's."""
    events = list(events)
    uids = {event.uid for event in events}
    return [one for uid in uids for one in passes(e for e in events if e.uid == uid)]


def side_by_side(runs: Mapping[str, list[Event]], title: str, whose: str) -> Figure:
    """A panel for each run, a row for each request, all on the same axis of time.

    A pass that serves all rows is drawn across all of them. The counters stand on each panel.
    """
    rows = {name: lanes(events) for name, events in runs.items()}
    heights = [0.6 + 0.16 * len(own) for own in rows.values()]
    figure, panels = plt.subplots(
        len(runs),
        figsize=(9, 1.1 + sum(heights)),
        height_ratios=heights,
        sharex=True,
        layout="constrained",
    )
    for axes, (name, events) in zip(panels, runs.items(), strict=True):
        start = min(began for began, _, _ in passes_of_all(events))
        for row, own in enumerate(rows[name].values()):
            ended = max(e.time for e in own) - start
            axes.hlines(row, own[0].time - start, ended, color=MIDDLE, linewidth=0.8)
            _draw(axes, passes(own), start, row, 0.7)
        last = len(rows[name]) - 1
        across = passes(event for event in events if event.uid == TOGETHER)
        _draw(axes, across, start, last / 2, last + 0.7)
        axes.set_title(f"{name}: {counters(events)}", loc="left", fontsize=10)
        axes.set_yticks([0, last], ["first", "last"], fontsize=8)
        axes.invert_yaxis()
    panels[-1].set_xlabel("seconds since the run's first forward pass")
    signs = [
        plt.Rectangle((0, 0), 1, 1, facecolor=colour, edgecolor=DARK, label=label)
        for colour, label in ((DARK, "prefill"), (LIGHT, "decode"))
    ]
    panels[0].legend(handles=signs, loc="upper right", fontsize=8)
    figure.suptitle(title, x=0.01, ha="left")
    figure.supxlabel(f"{COUNTERS}\n({whose})", fontsize=9)
    return figure


def _draw(axes, done: Iterable[tuple[float, float, str]], start: float, row: float, height: float):
    for began, ended, kind in done:
        colour = DARK if kind == "prefill" else LIGHT
        axes.barh(
            row,
            ended - began,
            height,
            began - start,
            color=colour,
            edgecolor=DARK,
            linewidth=0.4,
        )
