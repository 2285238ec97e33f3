"""Streamed events a second: the finished server against a bare ASGI app.

    python -m bench.streaming

The bare app sends the same number of events of the same size, one `send` each, and does nothing
else. Each server runs in a process of its own, and a third process reads; they are measured in
turns, pair by pair, on both of uvicorn's stacks. On the plain one every `send` is a write, and
the finished server writes all that has piled up at once; uvloop collects a bare app's writes by
itself, so that there the ratio shows what a token costs in Python. The target is a ratio of at
least 1, at 16 and at 128 connections; it is not reached yet.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import multiprocessing
import socket
import statistics
import time

import uvicorn

CONNECTIONS = (16, 128)
STACKS = (("asyncio", "h11"), ("uvloop", "httptools"))
EVENTS = 64_000  # of all connections together, in one measurement
PAIRS = 5
BODY = {"prompt": "x", "stream": True, "temperature": 0}


def bare(events: int):
    """An ASGI app that streams `events` events and knows of nothing else."""
    event = json.dumps(
        {
            "id": "cmpl-208aa2fb45d94c2fa86456fc4f423d5a",
            "object": "text_completion",
            "created": 1_700_000_000,
            "model": "scripted",
            "choices": [{"index": 0, "text": " 123", "finish_reason": None, "logprobs": None}],
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
        await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})

    return app


def finished(_: int):
    """The finished server with the scripted core at full speed."""
    from chapters.core import ScriptedCore
    from chapters.course import graft
    from chapters.course.manifest import course

    last = course()[max(course())]
    graft.install(graft.references(last))
    return graft.build(last, ScriptedCore(max_context=10**6))


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


def compare(connections: int, stack: tuple[str, str]) -> tuple[float, float, float]:
    """Events a second of the finished server and of the bare app, and the median ratio."""
    events = EVENTS // connections
    context = multiprocessing.get_context("spawn")
    ports, processes = [], []
    for make in (finished, bare):
        listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
        ports.append(listener.getsockname()[1])
        process = context.Process(target=serve, args=[make, events, stack, listener], daemon=True)
        process.start()
        processes.append(process)
        listener.close()
    try:
        pairs = [
            [asyncio.run(read_all(port, connections, events)) for port in ports]
            for _ in range(1 + PAIRS)
        ][1:]
    finally:
        for process in processes:
            process.terminate()
            process.join()
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    return ours, theirs, statistics.median(a / b for a, b in pairs)


def main() -> None:
    for stack in STACKS:
        if not all(importlib.util.find_spec(name) for name in stack):
            continue
        for connections in CONNECTIONS:
            ours, theirs, ratio = compare(connections, stack)
            print(
                f"streaming on {' and '.join(stack)}, {connections:>3} connections: ratio "
                f"{ratio:.2f} of a bare ASGI app ({ours:,.0f} against {theirs:,.0f} events/s, "
                f"{PAIRS} pairs)",
                flush=True,
            )


if __name__ == "__main__":
    main()
