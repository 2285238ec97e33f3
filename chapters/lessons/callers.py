"""Many callers at once, and somebody who only asks whether the server is well."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

from chapters.core.trace import Event, Watch, peaks
from chapters.lessons.asking import Answer, ask, together
from chapters.lessons.running import serve


@dataclass(frozen=True)
class Run:
    """What clients and trace saw of one run.

    health: the answer of /health, asked once the first forward pass had begun.
    """

    answers: list[Answer]
    health: Answer
    events: Watch
    whose: str


def run(callers: int, tokens: int, chapter: int = 1, pace: float = 100, **settings) -> Run:
    """So many callers ask a fresh server at once, for so many tokens each.

    settings: further ones of `serve`, such as wrong.
    """
    with serve(chapter, pace=pace, **settings) as server:

        def visit() -> Answer:
            server.watch.wait_for("prefill")
            return ask(server, path="/health")

        calls = [
            partial(ask, server, f"caller {number}", max_tokens=tokens, ignore_eos=True)
            for number in range(callers)
        ]
        health, *answers = together([visit, *calls])
    answers.sort(key=lambda answer: answer.ended)
    return Run(answers, health, server.watch, server.whose)


def caches_at_once(events: Iterable[Event]) -> int:
    """Most KV caches that were held at one time."""
    held = most = 0
    for event in events:
        held += {"prefill": 1, "kv freed": -1}.get(event.kind, 0)
        most = max(most, held)
    return most


ROWS = {
    "/health answered after": lambda run: f"{1000 * run.health.took:.0f} ms",
    "first answer after": lambda run: f"{1000 * min(a.took for a in run.answers):.0f} ms",
    "last answer after": lambda run: f"{1000 * max(a.took for a in run.answers):.0f} ms",
    "requests unfinished at once": lambda run: peaks(run.events).unfinished,
    "forward passes at one instant": lambda run: peaks(run.events).passes,
    "rows in a pass": lambda run: peaks(run.events).rows,
    "KV caches held at once": lambda run: caches_at_once(run.events),
}


def table(runs: dict[str, Run]) -> str:
    """The runs side by side, a column each, as text."""
    wide = max(map(len, runs)) + 2
    lines = ["".ljust(32) + "".join(name.rjust(wide) for name in runs)]
    for row, value in ROWS.items():
        lines.append(row.ljust(32) + "".join(str(value(r)).rjust(wide) for r in runs.values()))
    return "\n".join(lines)
