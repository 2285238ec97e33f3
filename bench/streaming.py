"""Streamed events a second: the finished server against a bare ASGI app.

    python -m bench.streaming

The bare app sends as many events of the same size, one `send` each, and does nothing else. It
comes in two forms. One lets the loop go round after each event, as an app must whose events come
one by one: each is a write of its own, where the finished server writes all that has piled up at
once. The other has all its events from the start and serves one connection after the other;
uvloop merges its writes, so that what is left is what a token costs in Python.

Each server runs in a process of its own, and another process reads; they are measured in turns,
on both of uvicorn's stacks. The target is a ratio of at least 1, at 16 and at 128 connections. On
the plain stack it is reached against the first form; on uvloop it is not reached.
"""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import json
import multiprocessing
import socket
import statistics
import time

import uvicorn

CONNECTIONS = (16, 128)
STACKS = (("asyncio", "h11"), ("uvloop", "httptools"))
EVENTS = 256_000  # of all connections together, in one measurement
ROUNDS = 5
TEXT = " 123"  # of every event
BODY = {"prompt": "x", "stream": True, "temperature": 0}


def bare(events: int, pause: bool):
    """An ASGI app that streams `events` events; with `pause`, the loop goes round between two."""
    event = json.dumps(
        {
            "id": "cmpl-208aa2fb45d94c2fa86456fc4f423d5a",
            "object": "text_completion",
            "created": 1_700_000_000,
            "model": "scripted",
            "choices": [{"index": 0, "text": TEXT, "finish_reason": None, "logprobs": None}],
        },
        separators=(",", ":"),
    )
    data = f"data: {event}\n\n".encode()
    headers = [(b"content-type", b"text/event-stream; charset=utf-8")]

    async def app(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        for _ in range(events):
            await send({"type": "http.response.body", "body": data, "more_body": True})
            if pause:
                await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})

    return app


def one_by_one(events: int):
    return bare(events, pause=True)


def back_to_back(events: int):
    return bare(events, pause=False)


def finished(_: int):
    """The finished server with the scripted core at full speed."""
    from chapters.core import ScriptedCore
    from chapters.course import graft
    from chapters.course.manifest import course

    last = course()[max(course())]
    graft.install(graft.references(last))
    return graft.build(last, ScriptedCore(lambda said: itertools.repeat(TEXT), max_context=10**6))


SERVERS = (finished, one_by_one, back_to_back)


def serve(make, events: int, stack: tuple[str, str], listener: socket.socket) -> None:
    """Run an app on a listening socket until the process is ended."""
    loop, http = stack
    config = uvicorn.Config(
        make(events), loop=loop, http=http, log_level="critical", timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run(sockets=[listener])


async def read_all(
    port: int, connections: int, events: int, body: dict = BODY, at_least: float = 0.99
) -> float:
    """Events a second that all connections together read, each at least a part of `events`."""
    body = json.dumps(body | {"max_tokens": events}).encode()
    head = f"POST /v1/completions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"

    async def one() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head.encode() + body)
        seen, tail = 0, b""
        while b"[DONE]" not in tail:
            received = await reader.read(1 << 16)
            if not received:
                raise ConnectionError("the stream ended before [DONE]")
            seen += received.count(b"data: {")
            tail = tail[-16:] + received[-32:]
        writer.close()
        return seen

    began = time.perf_counter()
    counts = await asyncio.gather(*(one() for _ in range(connections)))
    assert min(counts) >= events * at_least, counts
    return sum(counts) / (time.perf_counter() - began)


def compare(connections: int, stack: tuple[str, str]) -> list[tuple[float, float]]:
    """For each of `SERVERS`: its events a second, and the finished one's ratio to it."""
    events = EVENTS // connections
    context = multiprocessing.get_context("spawn")
    ports, processes = [], []
    for make in SERVERS:
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        ports.append(listener.getsockname()[1])
        process = context.Process(target=serve, args=[make, events, stack, listener], daemon=True)
        process.start()
        processes.append(process)
        listener.close()
    try:
        rounds = [
            [asyncio.run(read_all(port, connections, events)) for port in ports]
            for _ in range(1 + ROUNDS)
        ][1:]
    finally:
        for process in processes:
            process.terminate()
            process.join()
    return [
        (statistics.median(speeds), statistics.median(r[0] / r[which] for r in rounds))
        for which, speeds in enumerate(zip(*rounds, strict=True))
    ]


def main() -> None:
    for stack in STACKS:
        if not all(importlib.util.find_spec(name) for name in stack):
            continue
        for connections in CONNECTIONS:
            (ours, _), (single, to_single), (merged, to_merged) = compare(connections, stack)
            print(
                f"streaming on {' and '.join(stack)}, {connections:>3} connections: ratio "
                f"{to_single:.2f} to a bare ASGI app that sends one by one, {to_merged:.2f} to one "
                f"that sends back to back ({ours:,.0f}, {single:,.0f}, {merged:,.0f} events/s, "
                f"{ROUNDS} rounds)",
                flush=True,
            )


if __name__ == "__main__":
    main()
