"""Task 5.4: LiveMailbox and AbortingBackend."""

import asyncio
import contextlib
import inspect

import pytest

from chapters.ch02_request_ids.registry import Registry
from chapters.ch03_queues.backend import WaitingAnswer
from chapters.core import (
    CHAT,
    Abort,
    CheckedRequest,
    Failure,
    GenerationRequest,
    Reply,
    Sampling,
    ScriptedCore,
)
from chapters.course.calling import on_loop, patience
from chapters.course.checking import case, expect, fail, provided

CHECKED = CheckedRequest("Hi", Sampling(max_tokens=5))
MODULE = "chapters.ch05_cancellation.cleanup"


class Scene:
    """The student's backend, and what it has sent to a worker that is not there.

    sent: every Abort so far, with whether its request was still known when it was sent.
    """

    def __init__(self, new_backend, new_mailbox):
        self.registry, self.sent, self.broken = Registry(new_mailbox), [], False
        self.submitted = asyncio.Event()
        self.backend = new_backend(ScriptedCore(), self.registry, self.send)

    def send(self, message):
        if isinstance(message, GenerationRequest):
            return self.submitted.set()
        self.sent.append((message, message.uid in self.registry.live))
        if self.broken:
            raise RuntimeError("the way to the worker is broken")

    @property
    def aborts(self) -> list:
        return [message for message, _ in self.sent]

    async def open(self):
        mailbox, _ = await self.backend.open(CHECKED)
        return mailbox

    async def wait(self):
        """A task that waits for an answer, and the mailbox it waits at."""
        self.submitted.clear()
        waiter = asyncio.ensure_future(WaitingAnswer(self.backend)(CHAT, CHECKED))
        await self.submitted.wait()
        (mailbox,) = self.registry.live.values()
        await asyncio.sleep(0)
        return waiter, mailbox

    def release(self, mailbox):
        with case("release(mailbox)", expected="no exception"):
            got = self.backend.release(mailbox)
        if inspect.iscoroutine(got):
            got.close()
        expect(
            not inspect.isawaitable(got),
            "its callers are being cancelled: they call it and cannot wait, so nothing would run",
            sent="release(mailbox)",
            got=f"{type(got).__name__}, something to await",
            expected="all is done when the call returns",
        )

    def reply(self, mailbox, text="", **fields) -> bool:
        return self.registry.deliver(Reply(mailbox.uid, text, 1, **fields))


@pytest.fixture
def scene():
    """scene(play): runs `play(Scene)` on a loop; its result."""
    parts = provided(MODULE, "AbortingBackend"), provided(MODULE, "LiveMailbox")

    async def run(play):
        return await play(Scene(*parts))

    return lambda play: on_loop(run(play))


FAILED = {"error": Failure("server_error", "x")}


def test_the_last_reply_ends_the_life(scene):
    """The last reply ends the life: "finished", or "failed" with an error; no other one does."""

    async def play(at):
        for last, ending in (({"finish_reason": "stop"}, "finished"), (FAILED, "failed")):
            mailbox = await at.open()
            at.reply(mailbox, "Hel")
            early = mailbox.life.ending
            at.reply(mailbox, "lo", **last)
            expect(
                (early, mailbox.life.ending) == (None, ending),
                "a life that ends too early is not aborted when its client leaves, one that ends "
                "too late is aborted with its answer complete; and failures are not successes",
                sent=f"a reply, then a last one with {last}",
                got=f"ending {early!r} after the first, {mailbox.life.ending!r} after the last",
                expected=f"None after the first, {ending!r} after the last",
            )

    scene(play)


TEXT = "the client waits for the text of every reply, the last one's too, not for the end of a life"
BOTH = "both replies, in order"


async def taken(taking, before, sent):
    """What the task of a `take` gives; if it never does, what came before it is shown."""
    if not (await asyncio.wait({taking}, timeout=patience() / 2))[0]:
        fail(TEXT, sent=sent, got=f"{before}, and then take() waits for ever", expected=BOTH)
    return taking.result()


def test_it_is_still_a_mailbox(scene):
    """A mailbox with a life keeps its replies and wakes who waits; two of them share nothing."""

    async def play(at):
        one, other = await at.open(), await at.open()
        taking = asyncio.ensure_future(one.take())
        await asyncio.sleep(0)
        at.reply(one, "Hel")
        at.reply(one, "lo", finish_reason="stop")
        story = "a reply 'Hel' and a last one 'lo', to one who waits in take()"
        got = await taken(taking, [], story)
        if len(got) == 1:
            got += await taken(asyncio.ensure_future(one.take()), got, story)
        expect(
            [reply.text for reply in got] == ["Hel", "lo"], TEXT, sent=story, got=got, expected=BOTH
        )
        expect(
            (one.life.ending, other.life.ending) == ("finished", None),
            "the end of one request must not be the end of another",
            sent="a last reply for the first of two mailboxes",
            got=f"endings {one.life.ending!r} and {other.life.ending!r}",
            expected="endings 'finished' and None",
        )

    scene(play)


def test_one_abort(scene):
    """Releasing a request that has not ended sends one abort; twice is no more than once."""

    async def play(at):
        heard = []
        for replies in (0, 2):
            mailbox, stays = await at.open(), await at.open()
            mailbox.life.on_end(heard.append)
            at.sent.clear()
            for _ in range(replies):
                at.reply(mailbox, "x")
            at.release(mailbox)
            once, live = list(at.aborts), list(at.registry.live)
            at.release(mailbox)
            expect(
                (once, at.aborts) == ([Abort(mailbox.uid)], [Abort(mailbox.uid)]),
                "without an abort the model works for nobody; a second one is noise at best, and "
                "where ids are reused it hits somebody else",
                sent=f"a request with {replies} replies so far, released twice",
                got=f"{once} after the first call, {at.aborts} after the second",
                expected=f"one Abort, of {mailbox.uid}, by the first",
            )
            expect(
                mailbox.uid not in live and stays.uid in at.registry.live,
                "what is not forgotten stays in memory for as long as the server runs",
                sent="two requests that have not ended; release of one",
                got=f"live: {live}",
                expected=f"only the other one, {stays.uid}",
            )
        expect(
            heard == ["aborted", "aborted"] and mailbox.life.ending == "aborted",
            "others that hold something for this request hear of its end through its life",
            sent="on_end(clean_up), then release twice, for two requests",
            got=f"clean-ups called with {heard}, ending {mailbox.life.ending!r}",
            expected="each called once, with 'aborted'",
        )

    scene(play)


def test_no_abort_after_the_end(scene):
    """Releasing a request that has ended sends nothing; it is forgotten all the same."""

    async def play(at):
        for last in ({"finish_reason": "stop"}, {"finish_reason": "length"}, FAILED, None):
            mailbox = await at.open()
            if last:
                at.reply(mailbox, "x", **last)
            else:
                at.backend.died("out of memory")
            at.release(mailbox)
            expect(
                at.aborts == [],
                "every normal answer would count as a cancelled one, and the worker would look "
                "for a request that it has given back long ago",
                sent=(f"a last reply with {last}" if last else "the worker dies")
                + ", then release",
                got=at.aborts,
                expected="no Abort",
            )
            expect(
                not at.registry.live,
                "the normal end needs cleaning up too: it is how most requests end",
                sent="a last reply, then release",
                got=f"live: {list(at.registry.live)}",
                expected="nothing",
            )

    scene(play)


def test_abort_first(scene):
    """The abort is sent first, and only then is the request forgotten."""

    async def play(at):
        mailbox = await at.open()
        at.release(mailbox)
        expect(
            at.sent == [(Abort(mailbox.uid), True)],
            "whoever sends the abort may look the request up: once it is forgotten it is not "
            "found, no abort goes out, and the model works on for nobody",
            sent="release of a request that has not ended",
            got=[f"{m}, sent while the request was {'' if k else 'un'}known" for m, k in at.sent]
            or "nothing was sent",
            expected="one Abort, sent while the request was still known",
        )
        expect(not at.registry.live, "afterwards it is to be forgotten", got=at.registry.live)

    scene(play)


def test_forgotten_in_any_case(scene):
    """Also if sending the abort fails, the request is forgotten and its replies are late."""

    async def play(at):
        mailbox = await at.open()
        at.broken = True
        with contextlib.suppress(RuntimeError):
            at.backend.release(mailbox)
        delivered = at.reply(mailbox, "late")
        expect(
            len(at.aborts) == 1 and not at.registry.live,
            "a clean-up that stops at its first failure leaves the rest in memory for ever",
            sent="release, while sending raises RuntimeError",
            got=f"tries to send: {len(at.aborts)}; live: {list(at.registry.live)}",
            expected="tries to send: 1; live: []",
        )
        expect(
            (delivered, at.registry.discarded) == (False, 1),
            "replies that were under way when the client left still come; they are counted",
            sent="a reply after the release",
            got=f"delivered: {delivered}, discarded: {at.registry.discarded}",
            expected="delivered: False, discarded: 1",
        )

    scene(play)


def test_a_waiter_that_is_cancelled(scene):
    """A task that is cancelled while it waits, and again, leaves one abort and nothing else."""

    async def play(at):
        before = asyncio.all_tasks()
        waiter, mailbox = await at.wait()
        at.reply(mailbox, "Hel")
        await asyncio.sleep(0)
        while not waiter.done():
            waiter.cancel()
            await asyncio.sleep(0)
        sent, live = list(at.aborts), list(at.registry.live)
        expect(
            (sent, live) == ([Abort(mailbox.uid)], []),
            "clean-up that awaits is cancelled too, in the middle; one that is left to a task of "
            "its own is nobody's, and a server that shuts down drops it",
            sent="a request whose waiter is cancelled until it ends",
            got=f"when it has ended: sent {sent}, live {live}",
            expected=f"sent [{Abort(mailbox.uid)}], live []",
        )
        left = asyncio.all_tasks() - before - {waiter}
        expect(
            not left,
            "a task that is left for later is nobody's: a server that shuts down drops it",
            sent="a request whose waiter is cancelled until it ends",
            got=f"still running: {[str(task.get_coro()) for task in left]}",
            expected="no task",
        )
        at.reply(mailbox, "late")
        at.reply(mailbox, "too late", finish_reason="stop")
        expect(
            at.registry.discarded == 2 and mailbox.life.ending == "aborted" and not at.aborts[1:],
            "late replies are normal after an abort: they are counted, and change nothing",
            sent="two more replies, the last one among them",
            got=f"discarded {at.registry.discarded}, ending {mailbox.life.ending!r}, {at.aborts}",
            expected="discarded 2, ending 'aborted', one Abort",
        )

    scene(play)


def test_both_in_one_turn_of_the_loop(scene):
    """The last reply and the client's leaving in one turn of the loop: it ends once."""

    async def play(at):
        for first in ("reply", "leave"):
            waiter, mailbox = await at.wait()
            if first == "leave":
                waiter.cancel()
            at.reply(mailbox, "all", finish_reason="stop")
            if first == "reply":
                waiter.cancel()
            await asyncio.wait({waiter})
            expect(
                (mailbox.life.ending, at.aborts, list(at.registry.live)) == ("finished", [], []),
                "if both happen, one of them came first, and here the reply reached the mailbox "
                "before anybody released it: an abort would be for a request that has ended",
                sent=f"the last reply and a cancellation in one turn, the {first} first",
                got=f"ending {mailbox.life.ending!r}, {at.aborts}, live {list(at.registry.live)}",
                expected="ending 'finished', no Abort, nothing live",
            )

    scene(play)
