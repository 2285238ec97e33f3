"""`make experiment-5`: what a client that leaves costs, and when its leaving takes effect.

First the same client asks chapter 4's server and chapter 5's: it streams, and leaves after its
5th token of 60. Then a single forward pass of chapter 5's server is held while its client
leaves: when was the stop asked for, when did the worker take it, when was the memory free?
The core is scripted: a forward pass is a pause of 10 ms, or as long as it is held.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from rich import box
from rich.console import Console
from rich.table import Table

from chapters.core import ScriptedCore
from chapters.core.trace import Watch, watching
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running

TOKENS, READ, TOKENS_PER_SECOND = 60, 5, 100
BEFORE, AFTER = 0.1, 0.2  # seconds that the pass is held before the client leaves, and after
AXIS = 42  # characters
REQUEST = {"prompt": "x", "max_tokens": TOKENS, "stream": True, "ignore_eos": True}


@contextmanager
def serving(number: int, core: ScriptedCore) -> Iterator[tuple[str, Watch]]:
    """The reference server as of a chapter; its address, and what happens in it."""
    chapter = course()[number]
    graft.install(graft.references(chapter))
    with watching() as watch, running(graft.build(chapter, core), core.open, debug=False) as url:
        yield url, watch


@contextmanager
def reading(url: str, tokens: int) -> Iterator[None]:
    """A client that has read this many tokens of its stream, and leaves at the end."""
    with httpx.stream("POST", f"{url}/v1/completions", json=REQUEST, timeout=60) as answer:
        lines = (line for line in answer.iter_lines() if line)
        for _ in range(tokens):
            next(lines)
        yield


def leave_early(number: int) -> dict:
    """What a client that leaves after `READ` tokens costs the server of a chapter."""
    with serving(number, ScriptedCore(tokens_per_second=TOKENS_PER_SECOND)) as (url, watch):
        with reading(url, READ):
            pass
        left = time.perf_counter()
        freed = watch.wait_for("kv freed", watchdog=60)[0].time
        passes = [event.time for event in watch if event.kind in ("prefill", "decode")]
        return {
            "passes": str(len(passes)),
            "late": str(sum(began > left for began in passes)),
            "aborts": str(len(watch.of("abort asked"))),
            "freed": f"{1000 * (freed - left):.0f} ms later",
        }


def hold_a_pass() -> list[tuple[str, float]]:
    """What happened around one held pass, and when, in seconds since it began."""
    core = ScriptedCore(gated=True)
    with serving(5, core) as (url, watch):
        core.allow(READ)
        with reading(url, READ):
            began = watch.wait_for("decode", READ)[-1].time
            time.sleep(BEFORE)
        left = time.perf_counter()
        asked = watch.wait_for("abort asked")[0].time
        time.sleep(AFTER)
        core.allow()
        taken = watch.wait_for("abort done")[0].time
        ended, freed = watch.of("token")[-1].time, watch.of("kv freed")[0].time
    times = [began, left, asked, ended, freed, taken]
    return list(zip(MOMENTS, [at - began for at in times], strict=True))


MOMENTS = [
    "a forward pass begins",
    "the client closes",
    "the stop is asked for",
    "the forward pass ends",
    "the KV cache is freed",
    "the worker has dropped it",
]
ROWS = {
    "forward passes": "passes",
    "of these, begun after the client left": "late",
    "aborts sent to the worker": "aborts",
    "KV cache freed": "freed",
}


def main() -> None:
    """Measure both and show them."""
    console = Console(highlight=False, width=80)
    four, five = leave_early(4), leave_early(5)
    console.print(f"\nA client leaves after token {READ} of {TOKENS}; 10 ms a forward pass")
    table = Table("", "chapter 4", "chapter 5", box=box.SIMPLE)
    for name, key in ROWS.items():
        table.add_row(name, four[key], five[key])
    console.print(table)
    moments = hold_a_pass()
    console.print("One forward pass of chapter 5's server, held while its client leaves")
    table = Table("", "ms", f"0 {'─' * (AXIS - 2)}", box=box.SIMPLE, padding=(0, 1, 0, 0))
    longest = max(at for _, at in moments)
    for name, at in moments:
        place = round((AXIS - 1) * at / longest)
        table.add_row(name, f"{1000 * at:.1f}", " " * place + "●")
    console.print(table)


if __name__ == "__main__":
    main()
