"""`make experiment-3`: what a worker of its own gives the loop, and what taking turns gives whom.

First the same ten callers ask chapter 1's server and this chapter's. Then turns and first come,
first served compute the same requests, without HTTP. The core is scripted: a forward pass is a
pause of fixed length, so no model is needed.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import httpx
from rich import box
from rich.console import Console
from rich.table import Table

from chapters.ch01_http.experiment import CALLERS, TOKENS, TOKENS_PER_SECOND, timed
from chapters.core import GenerationRequest, Sampling, ScriptedCore
from chapters.core.trace import Traced, peaks, watching
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running
from chapters.course.wrong import find_wrong

PASS = 0.004  # seconds, in the second part
EQUAL = [20] * 10
LONG_AND_SHORT = [100, 5]


def serve(number: int) -> dict:
    """Ten callers at once ask the reference server of a chapter; what they and the trace saw."""
    graft.install(graft.references(course()[number]))
    app = Traced(graft.build(course()[number], ScriptedCore(tokens_per_second=TOKENS_PER_SECOND)))
    with (
        watching() as watch,
        running(app, debug=False) as url,
        httpx.Client(base_url=url, timeout=60) as client,
        ThreadPoolExecutor(CALLERS) as callers,
    ):
        asked = [callers.submit(ask, client, number) for number in range(CALLERS)]
        watch.wait_for("prefill")
        time.sleep(0.1)  # ten passes: time enough for all to have asked
        health = timed(lambda: client.get("/health"))
        waits = [answer.result() for answer in asked]
    return {"health": health, "last": max(waits), "peaks": peaks(watch)}


def ask(client: httpx.Client, number: int) -> float:
    """One caller; how long the answer took, in seconds."""
    body = {"prompt": f"caller {number}", "max_tokens": TOKENS, "temperature": 0}
    return timed(lambda: client.post("/v1/completions", json=body))


def turns(wrong: str | None):
    """The reference's `Turns`, or a wrong answer's."""
    found = find_wrong(course()[3], wrong) if wrong else None
    graft.install(graft.references(course()[3], {found.file: found.path} if found else {}))
    return import_module("chapters.ch03_queues.turns").Turns


def finishing_times(new_turns, lengths: list[int]) -> list[float]:
    """Requests of these lengths come at once; after how many seconds each has its last token."""
    core = ScriptedCore(tokens_per_second=1 / PASS)
    line, ends, began = new_turns(core), {}, time.perf_counter()
    for number, length in enumerate(lengths):
        line.receive(GenerationRequest(str(number), (65,), Sampling(max_tokens=length)))
    while line.busy:
        for reply in line.turn():
            if reply.last:
                ends[reply.uid] = time.perf_counter() - began
    return [ends[str(number)] for number in range(len(lengths))]


def average(times: list[float]) -> float:
    return sum(times) / len(times)


def milliseconds(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"


SERVED = {
    "/health waited": lambda seen: milliseconds(seen["health"]),
    "last answer after": lambda seen: milliseconds(seen["last"]),
    "requests unfinished at once": lambda seen: str(seen["peaks"].unfinished),
    "forward passes at one instant": lambda seen: str(seen["peaks"].passes),
    "rows in a pass": lambda seen: str(seen["peaks"].rows),
}
COMPUTED = {
    "ten of 20 tokens: average end": lambda equal, mixed: average(equal),
    "ten of 20 tokens: last end": lambda equal, mixed: max(equal),
    "one of 100, one of 5: average end": lambda equal, mixed: average(mixed),
    "one of 100, one of 5: the short one's": lambda equal, mixed: mixed[1],
    "one of 100, one of 5: the long one's": lambda equal, mixed: mixed[0],
}


def main() -> None:
    """Measure both, and show them."""
    console = Console(highlight=False)
    servers = Table("", "chapter 1", "chapter 3", box=box.SIMPLE)
    measured = [serve(1), serve(3)]
    for name, show in SERVED.items():
        servers.add_row(name, *map(show, measured))
    console.print(f"\n{CALLERS} callers at once, {TOKENS} tokens each, 10 ms a forward pass")
    console.print(servers)
    orders = Table("", "one after the other", "in turns", box=box.SIMPLE)
    lines = [turns("first_come_first_served"), turns(None)]
    computed = [
        [finishing_times(line, asked) for asked in (EQUAL, LONG_AND_SHORT)] for line in lines
    ]
    for name, pick in COMPUTED.items():
        orders.add_row(name, *(milliseconds(pick(*times)) for times in computed))
    console.print(f"the same requests in two orders, {1000 * PASS:.0f} ms a forward pass")
    console.print(orders)


if __name__ == "__main__":
    main()
