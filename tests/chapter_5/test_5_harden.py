"""Task 5.5: violations(moments), and the student's whole server under it."""

import contextlib
import importlib.util
import json
import socket
from pathlib import Path

import httpx
import pytest

from chapters.core import ScriptedCore
from chapters.core.trace import watching
from chapters.course.calling import WATCHDOG
from chapters.course.checking import case, expect, fail, provided
from chapters.course.real_server import running

_spec = importlib.util.spec_from_file_location("seeded", Path(__file__).parent / "seeded.py")
seeded = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(seeded)

MODULE = "chapters.ch05_cancellation.harden"
SEEDS = range(30)


@pytest.fixture
def new_moment():
    return provided(MODULE, "Moment")


@pytest.fixture
def judge():
    """judge(moments): the sentences that the student's invariant has for a run."""
    violations = provided(MODULE, "violations")

    def run(moments):
        found = violations(moments)
        expect(
            isinstance(found, list) and all(isinstance(sentence, str) for sentence in found),
            "the caller shows each sentence to a person",
            got=found,
            expected="a list of strings",
        )
        return found

    return run


@pytest.fixture
def accepts(judge, new_moment):
    """accepts(service): no run of a right service is a violation."""

    def check(service):
        for seed in SEEDS:
            moments = service(new_moment, seed).run()
            found = judge(moments)
            about = seeded.told(moments, "abcdef")
            expect(
                found == [],
                "an alarm that rings for right services is switched off, and guards nothing then",
                sent=f"a right service: {service.__doc__}\n{about}",
                got=f"violations: {len(found)}, the first: {found[:1]}",
                expected="[]: it keeps every promise",
            )

    return check


@pytest.fixture
def tells_apart(accepts, judge, new_moment):
    """tells_apart(*services): of each wrong service, the runs in which it did wrong are found.

    Its other runs and those of a right one are accepted.
    """

    def check(*services):
        accepts(seeded.Right)
        for service in services:
            for seed in SEEDS:
                made = service(new_moment, seed)
                moments = made.run()
                found, wronged = judge(moments), sorted(made.wronged)
                expect(
                    bool(found) == bool(wronged),
                    "real servers have shipped this: they go on serving, and what they waste or "
                    "keep is noticed by nobody until the memory is full"
                    if wronged
                    else "in this run nobody happened to be wronged: the alarm is false",
                    sent=f"a wrong service: {service.__doc__}\n"
                    + seeded.told(moments, wronged or "abcdef"),
                    got=f"{found[:1]}" if found else "[]: all promises kept",
                    expected="at least one sentence" if wronged else "[]",
                )

    return check


def test_accepts_right_services(accepts, tells_apart):
    """Right services are accepted, however their worker and their HTTP side interleave."""
    accepts(seeded.RightAndPrompt)
    accepts(seeded.RightButFreesLater)
    tells_apart(seeded.NobodyIsTold)


def test_accepts_what_cost_nothing(accepts, tells_apart, judge, new_moment):
    """A request that left the queue, or was refused, has no pass and no cache to free."""
    accepts(seeded.RightOneByOne)
    queued = [new_moment(kind, "q") for kind in ("opened", "abort asked", "closed")]
    refused = [new_moment(kind, "r") for kind in ("opened", "last reply", "closed")]
    mixed = [*queued[:1], *refused[:2], *queued[1:], *refused[2:]]
    for moments in ([], queued, refused, mixed):
        expect(
            judge(moments) == [],
            "nothing was computed, so there is nothing to give back",
            sent=f"{len(moments)} moments:\n{seeded.told(moments, 'qr')}",
            got=judge(moments),
            expected="[]",
        )
    tells_apart(seeded.QueuedAreNotFound)


def test_one_more_pass(accepts, tells_apart, judge, new_moment):
    """One pass after the abort is accepted, a second one is not."""
    for late in (0, 1, 2, 3):
        kinds = ["opened", "pass", "abort asked", "closed", *["pass"] * late, "kv freed"]
        moments = [new_moment(kind, "a") for kind in kinds]
        expect(
            bool(judge(moments)) == (late > 1),
            "an abort may come during a turn, whose pass is still made, so one more is nobody's "
            "fault; a second one is computed for nobody by a worker that was told",
            sent=f"passes after the abort: {late}\n{seeded.told(moments, 'a')}",
            got=judge(moments),
            expected="[]" if late < 2 else "at least one sentence",
        )
    accepts(seeded.RightAndPrompt)
    tells_apart(seeded.TwoMorePasses)


def test_rejects_aborts_without_effect(tells_apart):
    """A service that tells nobody, or whose worker does not listen, is rejected."""
    tells_apart(seeded.NobodyIsTold, seeded.AbortIsIgnored, seeded.QueuedAreNotFound)


def test_rejects_two_endings(tells_apart, judge, new_moment):
    """A request that ends twice, in two ways, or not at all, is rejected."""
    tells_apart(seeded.AsksTwice, seeded.AbortsWhatHasEnded, seeded.LastStepCounts)
    for between in ("opened", "closed"):
        moments = [new_moment(kind, "a") for kind in ("opened", between, "closed")]
        expect(
            judge(moments) != [],
            "three moments of the HTTP side are not an ending: nobody was answered, and the "
            "worker was not told to stop",
            sent=f"a request that never ends:\n{seeded.told(moments, 'a')}",
            got="[]",
            expected="at least one sentence",
        )


def test_rejects_untidy_tables(tells_apart):
    """What is not opened once, closed once, or goes on after it was closed, is rejected."""
    tells_apart(seeded.ForgetsFirst, seeded.KeepsWhoLeft, seeded.KeepsWhoWasServed)
    tells_apart(seeded.ClosesTwice, seeded.OpensTwice, seeded.DeliversToNobody)


def test_rejects_caches_that_are_not_freed_once(tells_apart):
    """A cache that is kept, freed twice, freed too early, or nobody's, is rejected."""
    tells_apart(seeded.KeepsTheCache, seeded.FreesTwice)
    tells_apart(seeded.FreesUnderTheWorker, seeded.WorksUnasked)


class Visit:
    """One client on a socket of its own, which asks once."""

    def __init__(self, url: str, prompt: str, tokens: int, stream: bool):
        self.socket = socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])), WATCHDOG)
        said = {"prompt": prompt, "max_tokens": tokens, "stream": stream, "temperature": 0}
        body = json.dumps(said | {"ignore_eos": True}).encode()
        head = f"POST /v1/completions HTTP/1.1\r\nhost: x\r\ncontent-length: {len(body)}\r\n\r\n"
        self.socket.sendall(head.encode() + body)

    def leave(self):
        self.socket.close()

    def read(self, end: bytes) -> bytes:
        """What comes, up to `end`."""
        got = b""
        with contextlib.suppress(TimeoutError):
            while end not in got and (piece := self.socket.recv(65536)):
                got += piece
        self.socket.close()
        return got


def test_your_own_server(judge):
    """All of your own files together: clients leave at four moments, and one stays."""
    core = ScriptedCore(gated=True)
    with case("a server made of all your files: mend Tasks 5.1 to 5.4 first"):
        from chapters.ch05_cancellation.observed import Observed, moments

        app = Observed(core).app

    def until(kind, count, story):
        try:
            watch.wait_for(kind, count, watchdog=WATCHDOG)
        except TimeoutError:
            left = kind == "abort asked"
            fail(
                "the model works on for a client that has left; " * left
                + "mend Tasks 5.1 to 5.4 first; if they pass, the parts do not fit together",
                sent=story,
                got=f"{kind!r} in the trace: {len(watch.of(kind))} in all",
                expected=f"{count} in all" + ", while the pass is held" * left,
            )

    with watching() as watch, running(app, before_end=core.open) as url:
        a = Visit(url, "a", 9, stream=True)
        until("prefill", 1, "request a")
        b = Visit(url, "b", 9, stream=False)
        until("submitted", 2, "request b, while a's prompt is computed")
        b.leave()
        until("abort asked", 1, "b leaves, not streaming, while it waits in the inbox")
        a.leave()
        until("abort asked", 2, "a leaves, streaming, during its prefill")
        c = Visit(url, "c", 9, stream=True)
        until("submitted", 3, "request c")
        core.allow(3)  # the pass of a, and two of c
        until("decode", 2, "request c, two of whose tokens may be computed")
        c.leave()
        until("abort asked", 3, "c leaves, streaming, during its third pass")
        d = Visit(url, "d", 1, stream=False)
        until("submitted", 4, "request d")
        core.allow(1)
        until("prefill", 3, "request d, for one token")
        d.leave()
        until("abort asked", 4, "d leaves, not streaming, during its only step")
        e = Visit(url, "e", 3, stream=True)
        until("submitted", 5, "request e")
        core.open()
        answer = e.read(b"[DONE]")
        until("closed", 5, "request e, whose client stays")
        until("kv freed", 4, "request e, whose client stays")
        stats = httpx.get(f"{url}/stats", timeout=WATCHDOG).json()
    expect(
        b"[DONE]" in answer and answer.count(b'"text"') >= 3,
        "the client that stayed must get its answer, whoever else has left",
        sent="a request for 3 tokens, after four others whose clients left",
        got=answer[-300:].decode(errors="replace"),
        expected="a stream with 3 tokens that ends with [DONE]",
    )
    passes = len(watch.of("prefill")) + len(watch.of("decode"))
    expect(
        passes == 8 and not any(stats[name] for name in ("open", "running", "kv_tokens")),
        "when all have left or were served, nothing may be computed for them or kept of them",
        sent="a leaves in its 1st pass, b before any, c in its 3rd, d in its only one; e has 3",
        got=f"{passes} passes; {stats}",
        expected="8 passes; open, running and kv_tokens 0",
    )
    named = dict(zip([event.uid for event in watch.of("submitted")], "abcde", strict=True))
    what_happened = moments(watch, named)
    found = judge(what_happened)
    expect(
        found == [] and judge(what_happened + what_happened[-1:]) != [],
        "your own invariant must hold for your own server",
        sent=f"what your server did:\n{seeded.told(what_happened, 'abcde')}",
        got=found,
        expected="[], and a violation if its last moment happened twice",
    )
