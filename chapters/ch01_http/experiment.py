"""`make experiment-1`: what one handler on the event loop costs, and what two escapes cost.

The same ten callers ask three servers in turn: chapter 1's reference; the same with its work
in the threads that frameworks give to plain `def` handlers; the same with `asyncio.to_thread`.
The core is scripted: a forward pass is a pause of 10 ms, so no model is needed.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import httpx
from rich.console import Console
from rich.table import Table

from chapters.core import ScriptedCore
from chapters.core.trace import Traced, Watch, peaks, watching
from chapters.course import graft
from chapters.course.checking import running
from chapters.course.manifest import course
from chapters.course.wrong import find_wrong

CALLERS, TOKENS, TOKENS_PER_SECOND = 10, 20, 100
SERVERS = {
    "one handler, on the loop": None,
    "a plain def handler": "escape_plain_def",
    "asyncio.to_thread": "escape_to_thread",
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


def main() -> None:
    table = Table(title=f"{CALLERS} callers at once, {TOKENS} tokens each, 10 ms a pass")
    table.add_column("the server")
    for column in ("/health waited", "first answer", "last answer", "unfinished at once"):
        table.add_column(column, justify="right")
    table.add_column("passes at one instant", justify="right")
    table.add_column("KV caches at once", justify="right")
    for name, wrong in SERVERS.items():
        seen = measure(wrong)
        times = [f"{1000 * seen[key]:.0f} ms" for key in ("health", "first", "last")]
        counts = (seen["peaks"].unfinished, seen["peaks"].passes, seen["caches"])
        table.add_row(name, *times, *map(str, counts))
    Console().print(table)


if __name__ == "__main__":
    main()
