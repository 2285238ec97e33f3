"""Waiting that ends, for experiments in which somebody waits for ever."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait


def within(seconds: float, *calls: Callable) -> list:
    """Call all of them at the same time, a thread each; their results, in order.

    Whoever has no result after `seconds` gives None. Its thread waits on, until the server that
    it asked has ended.
    """
    pool = ThreadPoolExecutor(len(calls))
    futures = [pool.submit(call) for call in calls]
    wait(futures, timeout=seconds)
    pool.shutdown(wait=False)
    return [future.result() if future.done() else None for future in futures]
