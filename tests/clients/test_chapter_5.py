"""Chapter 5's reference server over a real socket: clients that leave, and what stays behind."""

import json
import socket
from contextlib import closing, contextmanager
from importlib import import_module

import httpx
import openai
import pytest

from bench.soak import Looped, soak
from chapters.core import ScriptedCore
from chapters.core.trace import record, watching
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running

STREAMS = pytest.mark.parametrize("stream", [True, False], ids=["stream", "whole"])


class Entrance(Looped):
    """The outermost layer: how many requests are under way, and a note in the trace when one ends.

    A request is under way until its ASGI call has returned, so that its tasks have ended too.
    """

    under_way = 0

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await super().__call__(scope, receive, send)
        self.under_way += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.under_way -= 1
            record("call ended")


def new_server(core):
    """The reference server. Whatever becomes empty in it, something in its trace comes after."""
    graft.install(graft.references(course()[5]))
    observed = import_module("chapters.ch05_cancellation.observed").Observed

    class Turns(observed.new_turns):
        def receive(self, message):
            super().receive(message)
            record("taken", message.uid)

    return type("Noted", (observed,), {"new_turns": Turns})(core)


class Served:
    """A server that runs: its address, its core, its trace, and what its tables hold."""

    def __init__(self, url, core, watch, parts, app):
        self.url, self.core, self.watch, self.parts, self.app = url, core, watch, parts, app
        self.address = ("127.0.0.1", int(url.rpartition(":")[2]))
        self.client = httpx.Client(base_url=url, timeout=20)
        self.stats()
        self.idle_tasks = app.tasks()

    def stats(self) -> dict:
        return self.client.get("/stats").json()

    def visit(self, prompt="x", **fields) -> socket.socket:
        """A client that has asked, and reads nothing by itself."""
        caller = socket.create_connection(self.address, 10)
        caller.sendall(request(prompt, **fields))
        return caller

    def answers(self, **fields) -> str:
        said = {"prompt": "next", "max_tokens": 3, "temperature": 0} | fields
        answer = self.client.post("/v1/completions", json=said)
        return answer.json()["choices"][0]["text"]

    def settles(self) -> dict:
        """All requests end and all tables come to be empty, and no task is left; the counters."""

        def empty(_) -> bool:
            worker, live = self.parts.worker, self.parts.registry.live
            tables = len(live), len(worker.running), worker.inbox.qsize(), self.core.kv_tokens
            return not self.app.under_way and not any(tables)

        self.watch.wait(empty)
        assert self.app.tasks() <= self.idle_tasks
        return self.stats()

    def passes_after_aborts(self) -> dict:
        """uid → forward passes that began after its abort."""
        late = {}
        for event in self.watch:
            if event.kind == "abort asked":
                assert event.uid not in late, "two aborts"
                late[event.uid] = 0
            elif event.kind in ("prefill", "decode") and event.uid in late:
                late[event.uid] += 1
        return late


def request(prompt="x", tokens=9, stream=True, length=None) -> bytes:
    said = {"prompt": prompt, "max_tokens": tokens, "stream": stream, "ignore_eos": True}
    body = json.dumps(said).encode()
    head = f"POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {length or len(body)}\r\n"
    return head.encode() + b"\r\n" + body


def read(caller: socket.socket, end: bytes) -> None:
    """Read until `end` has come."""
    got = b""
    while end not in got:
        piece = caller.recv(65536)
        assert piece, got
        got += piece


@contextmanager
def server(core):
    parts = new_server(core)
    app = Entrance(parts.app)
    with watching() as watch, running(app, before_end=core.open) as url:
        served = Served(url, core, watch, parts, app)
        with closing(served.client):
            yield served


@pytest.fixture
def held():
    """A server whose every forward pass waits for a permit."""
    with server(ScriptedCore(gated=True)) as served:
        yield served


@pytest.fixture
def brisk():
    """A server that computes 500 tokens a second."""
    with server(ScriptedCore(tokens_per_second=500)) as served:
        yield served


@STREAMS
def test_leaves_while_queued(held, stream):
    first = held.visit(tokens=2, stream=False)
    held.watch.wait_for("prefill")
    leaver = held.visit(stream=stream)
    held.watch.wait_for("submitted", 2)
    leaver.close()
    (abort,) = held.watch.wait_for("abort asked")
    held.core.allow(2)
    read(first, b'"finish_reason":"length"')
    first.close()
    held.core.open()
    assert held.answers() == "next"[:3]
    stats = held.settles()
    assert (stats["aborted"], stats["discarded"], held.core.forwards) == (1, 0, 5)
    assert held.passes_after_aborts() == {abort.uid: 0}


@STREAMS
@pytest.mark.parametrize("passes, tokens", [(1, 9), (4, 9), (9, 9), (1, 1)])
def test_leaves_while_no_token_comes(held, stream, passes, tokens):
    """During the prefill, between tokens, in the last step, in a last step that is the first."""
    leaver = held.visit(stream=stream, tokens=tokens)
    for _ in range(passes - 1):
        held.core.allow()
    held.watch.wait(lambda es: sum(e.kind in ("prefill", "decode") for e in es) == passes)
    leaver.close()
    (abort,) = held.watch.wait_for("abort asked")
    assert held.stats()["open"] == 0 and held.core.forwards == passes
    held.core.open()
    assert held.answers() == "next"[:3]
    stats = held.settles()
    assert held.passes_after_aborts() == {abort.uid: 0}
    assert stats["discarded"] == 1, "the reply of the pass that was under way"
    assert stats["aborted"] == (passes < tokens), "the worker had done with it by itself, or not"
    assert held.core.forwards == passes + 3
    assert len(held.watch.of("kv freed", abort.uid)) == 1


@STREAMS
@pytest.mark.parametrize("passes", [1, 5])
def test_leaves_while_tokens_come(brisk, stream, passes):
    leaver = brisk.visit(stream=stream, tokens=2000)
    brisk.watch.wait(lambda es: sum(e.kind in ("prefill", "decode") for e in es) >= passes)
    leaver.close()
    (abort,) = brisk.watch.wait_for("abort asked")
    brisk.watch.wait_for("kv freed")
    assert brisk.answers() == "next"[:3]
    stats = brisk.settles()
    assert brisk.passes_after_aborts()[abort.uid] <= 1
    assert stats["aborted"] == 1 and stats["discarded"] <= 2


def test_leaves_a_flood():
    """A stream that always has something to send is let go of like any other, and holds up nobody.

    It gives way to the loop with every write, since only the loop brings it more to write.
    """
    tokens = 1_000_000
    with server(ScriptedCore(max_context=2 * tokens)) as flooded:
        leaver = flooded.visit(tokens=tokens)
        read(leaver, b'" 99"')
        assert flooded.answers() == "next"[:3]
        leaver.close()
        flooded.watch.wait_for("abort done")
        assert flooded.settles()["aborted"] == 1
        assert flooded.core.forwards < tokens


@STREAMS
def test_leaves_while_the_last_token_comes(held, stream):
    """Both at once, many times: it ends in one way, and nothing stays."""
    for _ in range(20):
        before = len(held.watch.of("prefill"))
        leaver = held.visit(stream=stream, tokens=1)
        held.watch.wait_for("prefill", before + 1)
        held.core.allow()
        leaver.close()
        held.watch.wait_for("kv freed", before + 1)
    stats = held.settles()
    assert set(held.passes_after_aborts().values()) <= {0}
    assert stats["aborted"] == 0, "an abort that came too late found nothing"
    assert stats["discarded"] == len(held.watch.of("abort asked"))


def test_a_normal_end_sends_no_abort(brisk):
    for stream in (True, False):
        with brisk.visit(stream=stream, tokens=4) as caller:
            read(caller, b"[DONE]" if stream else b'"finish_reason"')
    assert brisk.client.post("/v1/completions", content=b"{").status_code == 400
    assert brisk.settles()["aborted"] == 0
    assert brisk.watch.of("abort asked") == [] and brisk.watch.of("discarded") == []


def test_a_failure_of_the_core_sends_no_abort():
    with server(ScriptedCore({"bug": [" a", ValueError("x")]})) as served:
        for stream in (True, False):
            with served.visit("bug", stream=stream) as caller:
                read(caller, b"server_error")
        assert served.settles()["aborted"] == 0
        assert served.watch.of("abort asked") == []


def test_the_openai_client_leaves_its_with_block(brisk):
    with openai.OpenAI(base_url=f"{brisk.url}/v1", api_key="none", max_retries=0) as client:
        said = {"model": "scripted", "messages": [{"role": "user", "content": "Hi"}]}
        with client.chat.completions.create(**said, stream=True, max_tokens=2000) as chunks:
            for chunk in chunks:
                if chunk.choices[0].delta.content:
                    break
        brisk.watch.wait_for("abort done")
        assert client.chat.completions.create(**said, max_tokens=1).usage.completion_tokens == 1
    assert brisk.settles()["aborted"] == 1
    assert brisk.core.forwards < 1000


@STREAMS
def test_the_openai_client_times_out(held, stream):
    with openai.OpenAI(base_url=f"{held.url}/v1", api_key="none", max_retries=0) as client:
        said = {"model": "scripted", "messages": [{"role": "user", "content": "Hi"}]}
        with pytest.raises(openai.APITimeoutError):
            client.chat.completions.create(**said, stream=stream, timeout=0.5)
    held.watch.wait_for("abort asked")
    held.core.open()
    assert held.settles()["discarded"] <= 1
    assert held.core.forwards <= 1


@STREAMS
def test_a_half_closed_socket_counts_as_left(held, stream):
    with held.visit(stream=stream) as caller:
        held.watch.wait_for("prefill")
        caller.shutdown(socket.SHUT_WR)
        held.watch.wait_for("abort asked")
        held.core.open()
        assert held.settles()["aborted"] == 1
    assert held.core.forwards == 1


def test_fifty_clients_that_never_read(brisk):
    silent = [socket.create_connection(brisk.address, 10) for _ in range(25)]
    silent += [brisk.visit(tokens=500) for _ in range(25)]
    brisk.watch.wait_for("submitted", 25)
    for prompt in ("one", "two", "six"):
        assert brisk.answers(prompt=prompt) == prompt
    for caller in silent:
        caller.close()
    stats = brisk.settles()
    assert stats["aborted"] == 25 == len(brisk.watch.of("abort asked"))
    assert set(brisk.passes_after_aborts().values()) <= {0, 1}


def test_a_request_that_comes_byte_by_byte(brisk):
    with socket.create_connection(brisk.address, 10) as caller:
        caller.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in request(tokens=3):
            caller.send(bytes([byte]))
        read(caller, b"[DONE]")
    assert brisk.settles()["aborted"] == 0


def test_a_body_that_never_arrives(brisk):
    started = [socket.create_connection(brisk.address, 10) for _ in range(5)]
    for number, caller in enumerate(started):
        caller.sendall(request(length=10_000)[: -10 * number or None])
    assert brisk.answers() == "next"[:3]
    for caller in started:
        caller.close()
    assert brisk.settles()["aborted"] == 0
    assert len(brisk.watch.of("submitted")) == 1, "half a request was taken for a whole one"


def test_a_large_body_goes_through_whole(brisk):
    """The layer that listens reads ahead of the app: nothing of a large body is lost."""
    body = json.dumps({"prompt": "x" * 900_000, "max_tokens": 1})
    answer = brisk.client.post("/v1/completions", content=body)
    assert answer.status_code == 400 and "900000" in answer.json()["error"]["message"]


def test_a_thousand_clients_that_leave_at_random_moments():
    result = soak(1000, seed=5)
    assert result.broken == [] and result.left == {}
    assert result.served == result.ways["stays"]
    assert result.aborts > 50
