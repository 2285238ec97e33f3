"""What the lesson on waiting measures with: who computed when, and how long a loop stood still."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import queue
import selectors
import threading
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise

import matplotlib.pyplot as plt
from matplotlib.figure import Figure

from chapters.lessons.drawing import DARK, LIGHT, MIDDLE

BEAT = 0.005  # seconds between two ticks of a heartbeat
ANSWER = 0.3  # seconds that `slow_model` takes
ALARM = 0.5  # seconds after which a sleeping loop wakes by itself, in `woken_after`


def compute(seconds: float) -> None:
    """Keep one thread busy with Python for this long."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Diary:
    """Who computed from when to when."""

    def __init__(self):
        self.began = time.perf_counter()
        self.spans: list[tuple[str, float, float]] = []

    def compute(self, name: str, seconds: float) -> None:
        """Compute in the name of somebody, and note it."""
        start = time.perf_counter()
        compute(seconds)
        self.spans.append((name, start - self.began, time.perf_counter() - self.began))

    def elapsed(self) -> float:
        """Seconds since it was opened."""
        return time.perf_counter() - self.began

    def draw(self, title: str, until: float) -> Figure:
        """A row for each name: a bar while it computes, a line from its first bar to its last.

        until: where the axis of time ends, so that figures can be compared.
        """
        names = sorted({name for name, *_ in self.spans})
        figure, axes = plt.subplots(figsize=(9, 1.3 + 0.4 * len(names)), layout="constrained")
        for row, name in enumerate(names):
            own = [(start, end) for who, start, end in self.spans if who == name]
            axes.hlines(row, own[0][0], own[-1][1], color=MIDDLE, linewidth=1)
            for start, end in own:
                axes.barh(row, end - start, 0.5, start, color=LIGHT, edgecolor=DARK)
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlim(0, until)
        axes.set_xlabel("time in seconds (bar: computes; line: waits)")
        axes.set_title(title, loc="left")
        return figure


class Heartbeat:
    """Ticks on the running event loop while the `async with` block goes on.

    longest: most seconds between two ticks. A loop that is free ticks every few milliseconds.
    """

    async def __aenter__(self) -> Heartbeat:
        self.times = [time.perf_counter()]
        self._ticking = asyncio.create_task(self._tick())
        return self

    async def __aexit__(self, *_) -> None:
        self.times.append(time.perf_counter())
        self._ticking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._ticking

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            self.times.append(time.perf_counter())

    @property
    def longest(self) -> float:
        return max(later - earlier for earlier, later in pairwise(self.times))


async def standstill(work: Awaitable) -> float:
    """The longest time for which the loop stood still while this was awaited, in seconds."""
    async with Heartbeat() as heart:
        await work
    return heart.longest


def busy(work: Callable[[], object], threads: int, tries: int = 15) -> float:
    """How many cores so many threads keep busy when they do the work side by side.

    A core that is busy for a second is a second of processor time. Of many tries, the best: what
    else the machine does can only make it less. The work should be short, some 20 ms, to fit
    between two interruptions. Never more than the machine has: clocks are not exact.
    """
    cores = []
    for _ in range(tries):
        crew = [threading.Thread(target=work) for _ in range(threads)]
        wall, processor = time.perf_counter(), time.process_time()
        for thread in crew:
            thread.start()
        for thread in crew:
            thread.join()
        processor = time.process_time() - processor
        cores.append(processor / (time.perf_counter() - wall))
    return min(max(cores), os.cpu_count() or 1)


def steps_beside(work: Callable[[], object]) -> float:
    """How many steps of Python another thread makes in a second, while this work goes on."""
    steps, counting, done = 0, threading.Event(), False

    def count() -> None:
        nonlocal steps
        while not done:
            steps += 1
            if steps == 1000:
                counting.set()

    counter = threading.Thread(target=count)
    counter.start()
    counting.wait()
    before, began = steps, time.perf_counter()
    work()
    made, took = steps - before, time.perf_counter() - began
    done = True
    counter.join()
    return made / took


class _Telling(selectors.DefaultSelector):
    """The part of an event loop that sleeps; it tells when it is about to, if not for 0 s."""

    def __init__(self):
        super().__init__()
        self.asleep = threading.Event()

    def select(self, timeout=None):
        if timeout is None or timeout > 0:
            self.asleep.set()
        return super().select(timeout)


def woken_after(*, safely: bool) -> float:
    """Seconds until a task is woken by an `asyncio.Event` that another thread sets.

    The task waits on a loop that sleeps, in a thread of its own. safely: set the event by
    `loop.call_soon_threadsafe(event.set)`; otherwise by `event.set()`. The loop has an alarm set,
    so that it wakes after a while in any case.
    """
    selector, handed = _Telling(), queue.SimpleQueue()

    async def sleeper() -> float:
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        loop.call_later(ALARM, bool)
        handed.put((loop, event))
        await event.wait()
        return time.perf_counter()

    def run() -> None:
        with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(selector)) as runner:
            handed.put(runner.run(sleeper()))

    thread = threading.Thread(target=run)
    thread.start()
    loop, event = handed.get()
    selector.asleep.wait()
    began = time.perf_counter()
    if safely:
        loop.call_soon_threadsafe(event.set)
    else:
        event.set()
    woken = handed.get()
    thread.join()
    return woken - began


def slow_model(question: str) -> str:
    """Stands for a model: blocks its thread for a while, then answers."""
    time.sleep(ANSWER)
    return f"You asked: {question}"


async def judge(answer: Callable[[str], Awaitable[str]]) -> None:
    """Try an `answer` that the reader has written, and say how it did."""
    if not inspect.iscoroutinefunction(answer):
        return print("answer must be an `async def` function")
    async with Heartbeat() as heart:
        said = await answer("why?")
    if said != "You asked: why?":
        print(f"not yet: the caller got {said!r}")
    elif heart.longest > ANSWER / 2:
        print(f"not yet: right answer, but the loop stood still for {heart.longest:.2f} s")
    else:
        print(f"done: right answer, and the loop ticked at least every {heart.longest:.3f} s")
