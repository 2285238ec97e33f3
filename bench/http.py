"""What HTTP costs a real model: tokens a second, and the event loop's worst stall.

    python -m bench.http

One process holds the model. In turns, N requests are computed by the turn-taking loop alone and
by N streaming clients through the finished server; the clients are a process of their own. The
target is a ratio of at least 0.95, at 1 and at 8 streams. Meanwhile a probe on the server's event
loop asks to be woken every 2 ms and notes by how much it was late, also while a prompt of a
thousand tokens is prefilled and one of a megabyte is tokenised: the target is under 50 ms.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import statistics
import threading
import time

from bench.streaming import read_all
from chapters.core import CheckedRequest, GenerationRequest, Sampling, prepare
from chapters.core.loading import load
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running

STREAMS = (1, 8)
TOKENS = 80  # of all streams together, in one measurement
PAIRS = 10
PROMPT = "The lighthouse stood on a rock in the sea."


def without_http(core, streams: int) -> float:
    """Tokens a second of the turn-taking loop by itself."""
    from chapters.ch04_streaming.decoder import StreamedText
    from chapters.ch05_cancellation.aborts import AbortableTurns

    turns = AbortableTurns(core, StreamedText)
    count = TOKENS // streams
    asked = CheckedRequest(PROMPT, Sampling(count, ignore_eos=True))
    began = time.perf_counter()
    for number in range(streams):
        turns.receive(GenerationRequest(str(number), *prepare(core, asked)))
    while turns.busy:
        turns.turn()
    return streams * count / (time.perf_counter() - began)


def through_http(pipe, port: int, streams: int) -> float:
    """Tokens a second that the clients read."""
    pipe.send((port, streams, TOKENS // streams))
    return pipe.recv()


def clients(pipe) -> None:
    """The clients' process: reads what it is told to, until it is told None."""
    while (job := pipe.recv()) is not None:
        port, streams, count = job
        body = {"prompt": PROMPT, "stream": True, "temperature": 0, "ignore_eos": True}
        # Half a character gives no event, so events are not counted here: tokens were asked for.
        began = time.perf_counter()
        asyncio.run(read_all(port, streams, count, body, at_least=0))
        pipe.send(streams * count / (time.perf_counter() - began))


class Probe:
    """Notes how late an event loop wakes it; `worst` in seconds."""

    def __init__(self):
        self.worst = 0.0

    async def run(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.002)
            self.worst = max(self.worst, time.perf_counter() - began - 0.002)


def probed(app, probe: Probe):
    """The app, whose lifespan also runs the probe on the server's loop."""

    async def layer(scope, receive, send):
        if scope["type"] == "lifespan":
            task = asyncio.ensure_future(probe.run())
            try:
                return await app(scope, receive, send)
            finally:
                task.cancel()
        return await app(scope, receive, send)

    return layer


def ask(port: int, prompt: str) -> int:
    """One request for one token, and its status."""
    import httpx

    body = json.dumps({"prompt": prompt, "max_tokens": 1})
    return httpx.post(
        f"http://127.0.0.1:{port}/v1/completions", content=body, timeout=None
    ).status_code


def main() -> None:
    last = course()[max(course())]
    graft.install(graft.references(last))
    core, probe = load(None), Probe()
    context = multiprocessing.get_context("spawn")
    pipe, far = context.Pipe()
    process = context.Process(target=clients, args=[far], daemon=True)
    process.start()
    with running(probed(graft.build(last, core), probe), debug=False) as url:
        port = int(url.rpartition(":")[2])
        for streams in STREAMS:
            pairs = [
                (through_http(pipe, port, streams), without_http(core, streams))
                for _ in range(1 + PAIRS)
            ][1:]
            ours, bare = (statistics.median(side) for side in zip(*pairs, strict=True))
            ratio = statistics.median(a / b for a, b in pairs)
            print(
                f"http, {streams} streams: ratio {ratio:.3f} of the turn-taking loop alone "
                f"({ours:.1f} against {bare:.1f} tokens/s, {PAIRS} pairs)",
                flush=True,
            )
        probe.worst = 0
        threads = [
            threading.Thread(target=ask, args=[port, prompt])
            for prompt in ("sea " * 1000, "sea " * 250_000)
        ]
        [thread.start() for thread in threads]
        through_http(pipe, port, 8)
        [thread.join() for thread in threads]
        print(f"http, the event loop's worst stall: {1000 * probe.worst:.0f} ms")
    pipe.send(None)
    process.join()


if __name__ == "__main__":
    main()
