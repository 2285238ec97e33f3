"""Clients that leave at random moments, by the thousand: does anything stay behind?

    python -m bench.soak

Each opens a real socket to the last server that the course has for it, chapter 5's, and leaves
before its body is complete, at once, after some of the answer, or not at all. `COUNT=` says how
many there are, `SEED=` chooses their moments. The target: nothing is left, no promise is broken.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module

import httpx

from chapters.core import ScriptedCore
from chapters.core.trace import watching
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running

AT_ONCE = 40
TOKENS, TOKENS_PER_SECOND = 12, 4000
WAYS = ("half a body", "at once", "in mid-answer", "stays")


@dataclass
class Result:
    """ways: how many clients left in which way; served: answers that came whole.

    left: what is still there afterwards, by name: only what is not zero.
    broken: the broken promises of all requests, in Task 5.5's words.
    """

    seconds: float
    ways: Counter = field(default_factory=Counter)
    served: int = 0
    aborts: int = 0
    left: dict[str, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)


class Looped:
    """An ASGI layer that knows the event loop it runs on, and how many tasks that has."""

    def __init__(self, app):
        self.app, self.loop = app, None

    async def __call__(self, scope, receive, send):
        self.loop = asyncio.get_running_loop()
        await self.app(scope, receive, send)

    def tasks(self) -> int:
        async def count():
            return len(asyncio.all_tasks()) - 1

        return asyncio.run_coroutine_threadsafe(count(), self.loop).result(10)


async def visit(port: int, dice: random.Random, result: Result) -> None:
    """One client."""
    way, stream = dice.choice(WAYS), dice.random() < 0.5
    result.ways[way] += 1
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    body = json.dumps({"prompt": "x", "max_tokens": TOKENS, "stream": stream}).encode()
    head = f"POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n"
    request = head.encode() + b"connection: close\r\n\r\n" + body
    if way == "half a body":
        request = request[: len(request) - 1 - dice.randrange(len(body))]
    writer.write(request)
    await writer.drain()
    if way == "in mid-answer":
        await reader.read(dice.randrange(1, 900))
    elif way == "stays":
        answer = await reader.read()
        result.served += b"[DONE]" in answer if stream else b'"finish_reason":"length"' in answer
    else:
        for _ in range(dice.randrange(4)):
            await asyncio.sleep(0)
    if dice.random() < 0.3:
        writer.transport.abort()
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()


async def visits(port: int, count: int, seed: int, result: Result) -> None:
    free = asyncio.Semaphore(AT_ONCE)

    async def one(number):
        async with free:
            await visit(port, random.Random(f"{seed} {number}"), result)

    await asyncio.gather(*map(one, range(count)))


def threads() -> int:
    """Threads alive, without asyncio's own helpers, which stay until the loop is closed."""
    return sum(not thread.name.startswith("asyncio_") for thread in threading.enumerate())


def soak(count: int, seed: int = 0) -> Result:
    """Let `count` clients come and go; what stayed behind once all are gone."""
    graft.install(graft.references(course()[5]))
    module = import_module("chapters.ch05_cancellation.observed")
    server = module.Observed(ScriptedCore(tokens_per_second=TOKENS_PER_SECOND))
    app, result = Looped(server.app), Result(0)
    with (
        watching(capacity=200 * count) as watch,
        running(app, debug=False) as url,
        httpx.Client(base_url=url) as client,
    ):
        client.get("/health")
        before = {"tasks": app.tasks(), "threads": threads()}
        began = time.perf_counter()
        asyncio.run(visits(int(url.rpartition(":")[2]), count, seed, result))
        result.seconds = time.perf_counter() - began
        left, deadline = {"?": 1}, time.monotonic() + 20
        while any(left.values()) and time.monotonic() < deadline:
            stats = client.get("/stats").json()
            left = {name: stats[name] for name in ("open", "running", "waiting", "kv_tokens")}
            left["tasks"] = app.tasks() - before["tasks"]
            left["threads"] = threads() - before["threads"]
            time.sleep(0.02)
    result.left = {name: number for name, number in left.items() if number}
    result.aborts = len(watch.of("abort asked"))
    by_uid: dict[str, list] = {}
    for moment in module.moments(watch):
        by_uid.setdefault(moment.uid, []).append(moment)
    violations = import_module("chapters.ch05_cancellation.harden").violations
    result.broken = [why for mine in by_uid.values() for why in violations(mine)]
    return result


def main() -> None:
    count, seed = int(os.environ.get("COUNT", 10_000)), int(os.environ.get("SEED", 0))
    result = soak(count, seed)
    ways = ", ".join(f"{result.ways[way]} {way}" for way in WAYS)
    print(
        f"soak, {count} clients in {result.seconds:.0f} s ({ways}): {result.served} served, "
        f"{result.aborts} aborted, left behind: {result.left or 'nothing'}, "
        f"broken promises: {len(result.broken)} {result.broken[:1] or ''}"
    )


if __name__ == "__main__":
    main()
