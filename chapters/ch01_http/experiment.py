"""`make experiment-1`: what one handler on the event loop costs, and what two escapes cost.

The same ten callers ask three servers in turn: chapter 1's reference; the same with its work
in the threads that frameworks give to plain `def` handlers; the same with `asyncio.to_thread`.
The core is scripted: a forward pass is a pause of 10 ms, so no model is needed.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
from rich import box
from rich.console import Console
from rich.table import Table

from chapters.core import ScriptedCore
from chapters.core.trace import Traced, Watch, peaks, watching
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running
from chapters.course.wrong import find_wrong

CALLERS, TOKENS, TOKENS_PER_SECOND = 10, 20, 100
SERVERS = {
    "on the loop": None,
    "plain def": "escape_plain_def",
    "to_thread": "escape_to_thread",
}


def measure(wrong: str | None) -> dict:
    """Run one server with all callers; what they and the trace saw."""
    chapter = course()[1]
    found = find_wrong(chapter, wrong) if wrong else None
    graft.install(graft.references(chapter, {found.file: found.path} if found else {}))
    core = ScriptedCore(tokens_per_second=TOKENS_PER_SECOND)
    app = Traced(graft.build(chapter, core))
    with (
        watching() as watch,
        running(app, debug=False) as url,
        ThreadPoolExecutor(CALLERS) as callers,
    ):
        asked = [callers.submit(ask, url, number) for number in range(CALLERS)]
        watch.wait_for("prefill")
        health = timed(lambda: httpx.get(f"{url}/health", timeout=60))
        waits = [answer.result() for answer in asked]
    return {
        "health": health,
        "first": min(waits),
        "last": max(waits),
        "peaks": peaks(watch),
        "caches": caches_at_once(watch),
    }


def ask(url: str, number: int) -> float:
    """One caller; how long the answer took, in seconds."""
    body = {"prompt": f"caller {number}", "max_tokens": TOKENS, "temperature": 0}
    return timed(lambda: httpx.post(f"{url}/v1/completions", json=body, timeout=60))


def timed(call) -> float:
    began = time.perf_counter()
    call().raise_for_status()
    return time.perf_counter() - began


def caches_at_once(watch: Watch) -> int:
    """Most KV caches that were held at one time."""
    held, most = 0, 0
    for event in watch:
        held += {"prefill": 1, "kv freed": -1}.get(event.kind, 0)
        most = max(most, held)
    return most


ROWS = {
    "/health waited": lambda seen: f"{1000 * seen['health']:.0f} ms",
    "first answer after": lambda seen: f"{1000 * seen['first']:.0f} ms",
    "last answer after": lambda seen: f"{1000 * seen['last']:.0f} ms",
    "requests being served at once": lambda seen: str(seen["peaks"].unfinished),
    "forward passes at one instant": lambda seen: str(seen["peaks"].passes),
    "KV caches held at once": lambda seen: str(seen["caches"]),
}


def main() -> None:
    """Measure the three servers and show them side by side."""
    table = Table("", *SERVERS, box=box.SIMPLE)
    measured = [measure(wrong) for wrong in SERVERS.values()]
    for name, show in ROWS.items():
        table.add_row(name, *map(show, measured))
    console = Console(highlight=False)
    console.print(f"\n{CALLERS} callers at once, {TOKENS} tokens each, 10 ms a forward pass")
    console.print(table)
    threads = min(32, (os.cpu_count() or 1) + 4)
    console.print(f"asyncio.to_thread has {threads} threads on this machine; plain def has 40.")


if __name__ == "__main__":
    main()
