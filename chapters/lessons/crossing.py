"""From a worker's thread to a loop that sleeps: when what was posted arrives."""

from __future__ import annotations

import asyncio
import contextlib
import math
import queue
import threading
import time
from collections.abc import Callable

from chapters.core import Reply

PASS = 0.1  # seconds that the worker computes; by then its loop sleeps


def carried_after(new_bridge: Callable, *, patience: float = 1.0, debug: bool = False) -> float:
    """Seconds from `new_bridge(loop, deliver).post(replies)` in a thread to `deliver` on the loop.

    The loop has nothing else to do. After `patience` seconds a timer wakes it, or else it might
    sleep without end. What `post` raises is printed. Infinity if nothing ever arrives.
    debug: asyncio's debug mode.
    """
    posted, arrived = queue.SimpleQueue(), queue.SimpleQueue()

    def compute(bridge) -> None:
        time.sleep(PASS)
        posted.put(time.perf_counter())
        try:
            bridge.post([Reply("A", "A1", 1, "stop")])
        except RuntimeError as error:
            print(f"the worker was told: {error}")

    async def wait() -> None:
        loop = asyncio.get_running_loop()
        there = loop.create_future()
        bridge = new_bridge(loop, lambda replies: there.set_result(time.perf_counter()))
        threading.Thread(target=compute, args=[bridge], name="worker").start()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(there), patience)
        arrived.put(there.result() if there.done() else math.inf)

    # A loop of its own, in a thread of its own: a notebook's loop is never quite asleep.
    threading.Thread(target=lambda: asyncio.run(wait(), debug=debug), daemon=True).start()
    try:
        return arrived.get(timeout=patience + 1) - posted.get()
    except queue.Empty:
        return math.inf
