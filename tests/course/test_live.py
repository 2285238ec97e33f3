"""A server in a process of its own, as lessons and the classroom page have it."""

import contextlib
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from chapters.core.trace import peaks
from chapters.course.live import LiveServer
from chapters.course.paths import ROOT
from chapters.course.settings import UserError

BODY = {"prompt": "hi", "max_tokens": 3, "temperature": 0}


def ask(server):
    return httpx.post(f"{server.url}/v1/completions", json=BODY, timeout=60)


def test_its_trace_is_seen_while_it_goes_on_and_its_gate_is_held_from_here():
    with LiveServer(5, gated=True) as server, ThreadPoolExecutor() as pool:
        asked = [pool.submit(ask, server) for _ in range(2)]
        server.watch.wait_for("received", 2)
        server.watch.wait_for("prefill")
        assert not server.watch.of("token")
        server.allow(2)
        server.watch.wait_for("token", 2)
        server.open()
        assert [answer.result().status_code for answer in asked] == [200, 200]
        events = server.watch.wait_for("finished", 2) and list(server.watch)
    assert (peaks(events).unfinished, peaks(events).passes) == (2, 1)
    assert server.process.poll() is not None


def test_an_open_gate_can_be_held_and_nothing_is_told_to_one_that_has_ended():
    with LiveServer(5) as server, ThreadPoolExecutor() as pool:
        assert ask(server).status_code == 200
        server.hold()
        server.watch.wait_for("passes held")
        asked = pool.submit(ask, server)
        server.watch.wait_for("prefill", 2)
        server.allow()
        server.watch.wait_for("decode", 3)
        assert len(server.watch.of("token")) == 4
        server.open()
        assert asked.result().status_code == 200
    server.hold()
    server.open()


def test_a_blocked_loop_shows_in_the_trace_and_does_not_keep_it_from_ending():
    with LiveServer(1, gated=True) as server, ThreadPoolExecutor() as pool:
        asked = pool.submit(ask, server)
        server.watch.wait_for("loop blocked")
        server.open()
        server.watch.wait_for("loop free")
        assert asked.result().status_code == 200


def test_it_ends_with_a_pass_under_way_and_a_client_waiting():
    with ThreadPoolExecutor() as pool:
        server = LiveServer(1, gated=True)
        asked = pool.submit(ask, server)
        server.watch.wait_for("prefill")
        server.stop()
        assert asked.exception() or asked.result()
    assert server.ended is not None


def test_its_model_says_what_the_script_has_and_what_leaves_is_counted():
    script = {"hi": ["one", " \u65e5".encode()[:2], RuntimeError("too hot")]}
    with LiveServer(4, script=script) as server:
        stream = httpx.post(f"{server.url}/v1/completions", json={**BODY, "stream": True})
        assert '"text":"one"' in stream.text and "RuntimeError: too hot" in stream.text
        server.watch.wait_for("finished")
        assert sum(e.data["bytes"] for e in server.watch.of("written")) == len(stream.content)


def test_tokens_have_their_text_and_a_connection_its_end():
    with LiveServer(5) as server:
        with httpx.Client() as client:
            client.post(f"{server.url}/v1/completions", json=BODY).raise_for_status()
        (closed,) = server.watch.wait_for("closed")
        (received,) = server.watch.of("received")
        assert closed.data["client"] == received.data["client"] is not None
        assert received.data["agent"].startswith("python-httpx")
        assert [event.data["text"] for event in server.watch.of("token")] == ["h", "i", " 1"]


def test_a_fault_of_an_earlier_chapter():
    with LiveServer(3, wrong="first_in_first_served", wrong_of=2) as server:
        assert ask(server).status_code == 200


def test_a_wrong_answer_and_whose_it_is():
    with LiveServer(3, wrong="first_come_first_served") as server:
        assert server.whose == "chapter 3, wrong on purpose: first_come_first_served"
        assert ask(server).status_code == 200


def test_a_task_of_the_students_own_that_is_not_written_says_so():
    with LiveServer(1, mine=["1.4"]) as server:
        assert ask(server).status_code == 500
        assert server.whose == "chapter 1, tasks 1.4 yours, the rest reference"
    assert any("Task 1.4" in line for line in server.said)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"wrong": "nothing_such"}, "is no wrong answer"),
        ({"model": "./nowhere"}, "there is no folder ./nowhere"),
    ],
)
def test_one_that_cannot_start_says_why(wanted, said):
    with pytest.raises(UserError, match=said):
        LiveServer(3, **wanted)


def test_it_ends_when_the_one_who_started_it_is_killed():
    code = (
        "from chapters.course.live import LiveServer\n"
        "print(LiveServer(3).port, flush=True)\ninput()"
    )
    command = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe) as started:
        port = int(started.stdout.readline())
        with socket.create_connection(("127.0.0.1", port), timeout=60) as held:
            held.sendall(b"POST /v1/completions HTTP/1.1\r\n")
            started.kill()
            with contextlib.suppress(ConnectionResetError):  # it ended before it had read this
                assert held.recv(1) == b""
