import asyncio
import threading

import pytest

from chapters.core import trace
from chapters.core.trace import Event, Peaks, Traced, peaks, record, watching
from chapters.course.calling import call


def test_nothing_is_kept_while_nobody_watches():
    record("token", "a")
    with watching() as watch:
        record("token", "b", token=3)
    record("token", "c")
    assert [(e.kind, e.uid, e.data) for e in watch] == [("token", "b", {"token": 3})]


def test_the_ring_is_bounded():
    with watching(capacity=10) as watch:
        for number in range(25):
            record("token", str(number))
    assert [e.uid for e in watch] == [str(n) for n in range(15, 25)]


def test_two_watches_each_see_all():
    with watching() as outer, watching() as inner:
        record("token", "a")
    assert [e.uid for e in outer] == [e.uid for e in inner] == ["a"]


def test_many_threads_may_record():
    def work(name):
        for _ in range(500):
            record("token", name)

    with watching() as watch:
        threads = [threading.Thread(target=work, args=[str(n)]) for n in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]
    assert all(len(watch.of("token", str(n))) == 500 for n in range(8))
    times = [e.time for e in watch.of("token", "0")]
    assert times == sorted(times)


def test_waiting_in_vain_says_what_was_seen():
    with watching() as watch:
        record("prefill", "a")
        with pytest.raises(TimeoutError, match="prefill"):
            watch.wait_for("token", watchdog=0.01)


async def answer(scope, receive, send):
    record("submitted", "uid-1")
    await asyncio.create_task(asyncio.to_thread(record, "admitted", None))
    await send({"type": "http.response.start", "status": 201, "headers": []})
    await send({"type": "http.response.body", "body": b"", "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def test_a_request_keeps_its_lane_through_tasks_and_threads():
    with watching() as watch:
        call(Traced(answer))
        call(Traced(answer))
    kinds = ["received", "submitted", "admitted", "answered", "finished"]
    lanes = {e.lane for e in watch}
    assert len(lanes) == 2
    for lane in lanes:
        assert [e.kind for e in watch if e.lane == lane] == kinds
    assert [e.data["status"] for e in watch.of("answered")] == [201, 201]
    assert trace.lane.get() is None


def test_a_request_that_fails_is_told_and_raises_on():
    async def broken(scope, receive, send):
        raise KeyError("x")

    with watching() as watch, pytest.raises(KeyError):
        call(Traced(broken))
    assert watch.of("failed")[0].data["error"] == "KeyError: 'x'"


def test_a_request_that_ends_unfinished_has_been_left():
    async def lets_go(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    with watching() as watch:
        call(Traced(lets_go))
    assert [e.kind for e in watch] == ["received", "answered", "left"]


def test_the_peaks_tell_concurrency_from_parallelism_from_batching():
    def happened(story):
        return [Event(0, kind, uid, uid, data) for kind, uid, data in story]

    post = {"method": "POST"}
    arrive = [("received", uid, post) for uid in "abc"]
    leave = [("finished", uid, {}) for uid in "abc"]
    turns = [(kind, uid, {}) for uid in "abc" for kind in ("prefill", "token", "decode", "token")]
    assert peaks(happened([*arrive, *turns, *leave])) == Peaks(3, 1, 1)
    both = [("prefill", "a", {}), ("prefill", "b", {}), ("token", "a", {}), ("kv freed", "b", {})]
    assert peaks(happened([*arrive, *both, ("prefill", "c", {}), *leave])) == Peaks(3, 2, 1)
    assert peaks(happened([("prefill", "a", {"rows": 10}), ("token", "a", {})])) == Peaks(0, 1, 10)
    health = [("received", "h", {"method": "GET"}), ("received", "a", post), ("failed", "a", {})]
    assert peaks(happened([*health, ("received", "b", post)])) == Peaks(1, 0, 0)
