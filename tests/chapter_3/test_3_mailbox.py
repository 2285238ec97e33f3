"""Task 3.3: Mailbox and Listener."""

import asyncio
import importlib.util
import logging
import selectors
import threading
from pathlib import Path

import pytest

from chapters.ch02_request_ids.registry import Registry
from chapters.core import Failure, Reply
from chapters.course.calling import on_loop
from chapters.course.checking import case, expect, provided

_spec = importlib.util.spec_from_file_location("waiting", Path(__file__).parent / "waiting.py")
waiting = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(waiting)
end_of, patience, settle = waiting.end_of, waiting.patience, waiting.settle

MAILBOX = "chapters.ch03_queues.mailbox"
NOT_WOKEN = "the reply is there, and whoever waits for it sleeps on"


def reply(number: int, uid: str = "a", **fields) -> Reply:
    return Reply(uid, f"{uid}{number}", 1, **fields)


def texts(replies) -> list[str]:
    expect(
        isinstance(replies, list) and all(isinstance(r, Reply) for r in replies),
        "the answer joins what it is given",
        got=replies,
        expected="take() returns a list of Reply",
    )
    return [r.text for r in replies]


def brief(replies) -> str:
    """Replies as a check's message shows them: their texts, and which is an error."""
    if not isinstance(replies, list):
        return repr(replies)
    return ", ".join(repr(r.text) if r.error is None else "an error" for r in replies) or "[]"


def outcome(task: asyncio.Task) -> str:
    """What has become of a task that is done."""
    if task.cancelled():
        return "take() was cancelled"
    error = task.exception()
    return f"take() raised {error!r}" if error else f"take() returned {task.result()!r}"


@pytest.fixture
def new():
    """new(uid): the student's Mailbox."""
    return provided(MAILBOX, "Mailbox")


@pytest.fixture
def listener():
    """listener(registry): the student's Listener."""
    return provided(MAILBOX, "Listener")


def test_a_waiter_is_woken(new):
    """`take` waits while there is nothing, lets others run meanwhile, and is woken by a reply."""

    async def check():
        box = new("a")
        for number in range(3):
            task = asyncio.ensure_future(box.take())
            await settle()
            got = await end_of(task, "", "") if task.done() else None
            expect(
                not task.done(),
                "an answer of no replies is no answer, and whoever asks again keeps others waiting",
                sent="take() while nothing has come since the last one",
                got=got,
                expected="it waits",
            )
            with case("apply(reply) while take() waits"):
                box.apply(reply(number))
            got = texts(await end_of(task, f"reply {number}, while take() waits", NOT_WOKEN))
            expect(
                got == [f"a{number}"],
                "each reply belongs to the answer once, and at once",
                sent=f"reply a{number}, while take() waits",
                got=got,
                expected=[f"a{number}"],
            )
        task = asyncio.ensure_future(box.take())
        await settle()
        box.apply(Reply("a", "", 1))
        sent = "a reply without text, while take() waits"
        got = await end_of(
            task, sent, "a token without text is news: it is counted, and it may be the last"
        )
        expect(
            got == [Reply("a", "", 1)],
            "most replies have no text in this chapter, and the usage is counted from them",
            sent=sent,
            got=got,
            expected="that reply",
        )

    on_loop(check())


def test_waits_as_long_as_it_takes(new):
    """`take` has no time limit of its own."""

    async def check():
        box, loop = new("a"), asyncio.get_running_loop()
        task = asyncio.ensure_future(box.take())
        await settle()
        loop.time = lambda: type(loop).time(loop) + 100_000  # from now on
        await settle()
        sent = "take(), and nothing comes for a day, by the loop's clock"
        early = outcome(task) if task.done() else None
        expect(
            not task.done(),
            "in a long queue the first reply takes as long as it takes; how long, others decide",
            sent=sent,
            got=early,
            expected="it waits",
        )
        box.apply(reply(0))
        got = texts(await end_of(task, f"{sent}; then a reply", NOT_WOKEN))
        expect(got == ["a0"], "it came late, and it came", sent=sent, got=got, expected=["a0"])

    # Not `on_loop`, whose watchdog would see that day pass.
    with asyncio.Runner(debug=True) as runner:
        runner.run(check())


def test_all_that_came(new):
    """`take` gives all that came since the last call, in order, each reply once."""

    async def check():
        box, got = new("a"), []
        for batch in ([0, 1, 2], [3], [4, 5]):
            for number in batch:
                box.apply(reply(number))
            task = asyncio.ensure_future(box.take())
            got.append(texts(await end_of(task, f"replies {batch}, then take()", NOT_WOKEN)))
        expect(
            got == [["a0", "a1", "a2"], ["a3"], ["a4", "a5"]],
            "a reply that is lost or comes twice is a hole or a stutter in the text",
            sent="a0 a1 a2, take, a3, take, a4 a5, take",
            got=got,
            expected="[a0 a1 a2], [a3], [a4 a5]",
        )

    on_loop(check())


def test_whatever_they_say(new):
    """Also replies without text, equal ones and an error are given as they are; the list is yours.

    Whoever takes may add to what it was given.
    """
    empty, same = Reply("a", "", 1), Reply("a", " the", 1)
    last = Reply("a", error=Failure("server_error", "it broke"))

    async def check():
        box, given = new("a"), []
        for batch in ([empty, same, same, empty], [same, last]):
            for one in batch:
                box.apply(one)
            given.extend(batch)
            sent = f"replies {brief(batch)}, then take()"
            task = asyncio.ensure_future(box.take())
            await settle()
            expect(
                not task.done() or task.exception() is None,
                "what a reply means, its owner says; this is only where it lies",
                sent=sent,
                got=task.done() and outcome(task),
                expected="these replies, and nothing is raised",
            )
            got = await end_of(task, sent, NOT_WOKEN)
            expect(
                got == batch,
                "left out, it costs text, or a token that is not counted; given again, it is twice",
                sent=sent,
                got=brief(got),
                expected=brief(batch),
            )
            got.append(same)
            expect(
                box.replies == given,
                "the answer adds later replies to the first that it got: to a list of its own",
                sent=f"{sent}; ' the' is added to the list that it gave",
                got=f"the mailbox's own replies are now {brief(box.replies)}",
                expected=f"as before: {brief(given)}",
            )

    on_loop(check())


def test_a_reply_before_anyone_waits(new):
    """A reply that came first is there when somebody comes to take it."""

    async def check():
        box = new("a")
        with case("apply(reply) while nobody waits"):
            box.apply(reply(0))
            await settle()
        task = asyncio.ensure_future(box.take())
        got = texts(await end_of(task, "a reply, and only then take()", NOT_WOKEN))
        expect(got == ["a0"], "a wake-up is not kept by itself", got=got, expected=["a0"])

    on_loop(check())


class Selector(selectors.DefaultSelector):
    """Tells when the loop has nothing to do and no appointment soon."""

    def __init__(self):
        super().__init__()
        self.idle = threading.Event()

    def select(self, timeout=None):
        if timeout is None or timeout > 0.5:
            self.idle.set()
        return super().select(timeout)


def test_waiting_costs_nothing(new):
    """While `take` waits, the loop sleeps; nobody looks again and again."""
    slept = []

    async def check(selector):
        loop, box = asyncio.get_running_loop(), new("a")

        def when_idle():
            slept.append(selector.idle.wait(patience()))
            loop.call_soon_threadsafe(box.apply, reply(0))

        thread = threading.Thread(target=when_idle, daemon=True)
        task = asyncio.ensure_future(box.take())
        await settle()
        selector.idle.clear()
        thread.start()
        await asyncio.wait({task}, timeout=patience())  # the thread may use it up
        return await end_of(task, "take(); from another thread, a reply is applied", NOT_WOKEN)

    selector = Selector()
    with asyncio.Runner(
        debug=True, loop_factory=lambda: asyncio.SelectorEventLoop(selector)
    ) as runner:
        got = runner.run(check(selector))
    expect(
        slept == [True] and texts(got) == ["a0"],
        "with a thousand waiting, looking again and again is all the processor does",
        sent="take(), and nothing else on the loop",
        got="the loop never slept: something runs again and again" if slept != [True] else got,
        expected="it sleeps until the reply comes",
    )


def test_a_cancelled_wait_loses_nothing(new):
    """If waiting is cancelled, a reply stays for the next call, and `apply` goes on as before."""

    async def check():
        for order in ("cancel, then reply", "reply, then cancel", "cancel, end, then reply"):
            box, sent = new("a"), f"{order}, in one go, while take() waits; then take() again"
            task = asyncio.ensure_future(box.take())
            await settle()
            with case(sent, expected="apply() raises nothing: its caller works for everybody"):
                if order.startswith("reply"):
                    box.apply(reply(0))
                task.cancel()
                if "end" in order:
                    await asyncio.wait({task}, timeout=1)
                if not order.startswith("reply"):
                    box.apply(reply(0))
            try:
                early = await end_of(task, sent, "a task that is cancelled has to end")
            except asyncio.CancelledError:
                early = []
            box.apply(reply(1))
            later = asyncio.ensure_future(box.take())
            got = texts(early) + texts(await end_of(later, sent, NOT_WOKEN))
            expect(
                got == ["a0", "a1"],
                "a wait with a time limit is a wait that is cancelled: it must cost no text",
                sent=f"{sent}; a0 came then, a1 afterwards",
                got=got,
                expected="a0 and a1",
            )

    on_loop(check())


def test_it_is_still_a_state(new):
    """In a registry a mailbox is a request's state: its own replies, and finished in the end."""

    async def check():
        registry = Registry(new)
        a, b = registry.open(), registry.open()
        task = asyncio.ensure_future(b.take())
        await settle()
        with case("a reply for one of two mailboxes of a registry"):
            registry.deliver(reply(0, a.uid))
        await settle()
        expect(
            not task.done(),
            "each waits for its own: what is shared reaches the wrong client",
            sent="a reply for one of two mailboxes, while the other one's take() waits",
            got="the other one's take() returned",
            expected="it still waits",
        )
        with case("a reply for the other one, then the last one for the first"):
            registry.deliver(reply(1, b.uid))
            registry.deliver(reply(2, a.uid, finish_reason="stop"))
        expect(
            a.finished and not b.finished and len(a.replies) == 2,
            "by this the registry knows what is late",
            sent="two replies, the second its last; one for the other",
            got=f"finished {a.finished} and {b.finished}, {len(a.replies)} replies of the first",
            expected="True and False, 2",
        )
        others = texts(
            await end_of(task, "a reply for each of two; take() of the one that waited", NOT_WOKEN)
        )
        own = texts(
            await end_of(
                asyncio.ensure_future(a.take()),
                "two replies for this one, one for the other; then take()",
                NOT_WOKEN,
            )
        )
        late = registry.deliver(reply(3, a.uid))
        expect(
            (own, others) == ([f"{a.uid}0", f"{a.uid}2"], [f"{b.uid}1"]),
            "each client gets what was computed for it, and nothing of anybody else's",
            sent=f"{a.uid}0, {b.uid}1, {a.uid}2",
            got=f"take() of the first: {own}; of the second: {others}",
            expected="0 and 2 for the first, 1 for the second",
        )
        expect(
            a.finished and late is False and registry.discarded == 1,
            "the registry drops what comes after the last reply, also when that has been taken",
            sent="its two replies taken, then a late one through the registry",
            got=f"finished {a.finished}, the late one delivered: {late}",
            expected="finished True, the late one discarded",
        )
        expect(
            texts(a.replies) == own,
            "what was taken must be kept all the same: who answers may read the replies from there",
            sent="its two replies taken, then a late one through the registry",
            got=f"its replies: {texts(a.replies)}",
            expected="its two replies, taken or not",
        )

    on_loop(check())


class Registering:
    """A registry that notes what it is given, and cannot take some of it."""

    def __init__(self, *errors: Exception):
        self.errors, self.given = list(errors), []

    def deliver(self, reply) -> bool:
        self.given.append(reply.text)
        if reply.uid == "bad":
            raise self.errors.pop(0)
        return True


def test_the_listener_hands_over(listener):
    """The listener hands every reply to the registry, in order; late ones stop nothing."""

    async def check():
        registry = Registering()
        sent = [reply(0), reply(0, "b"), reply(1, "b"), reply(1), Reply("a", "", 1)]
        listener(registry).deliver(sent)
        expect(
            registry.given == ["a0", "b0", "b1", "a1", ""],
            "in each request's order stands its text; and a token without text is counted too",
            sent="replies a0 b0 b1 a1, and one without text",
            got=registry.given,
            expected="all five, in this order",
        )
        real = Registry()
        state = real.open()
        late = [reply(0, "left"), reply(0, state.uid), reply(1, "left")]
        with case("replies of a client that has left, around one of a client that waits"):
            listener(real).deliver(late)
        expect(
            (len(state.replies), real.discarded) == (1, 2),
            "one client that left must not silence all those who stayed",
            sent="a late reply, one for a client that waits, a late reply",
            got=f"{len(state.replies)} delivered, {real.discarded} counted as discarded",
            expected="1 and 2",
        )

    on_loop(check())


def test_nothing_stops_the_listener(listener, caplog):
    """If a reply cannot be delivered, that is logged, and the rest is delivered all the same."""

    async def check():
        registry = Registering(KeyError("x"), asyncio.InvalidStateError("y"), RuntimeError("z"))
        sent = [reply(0), reply(0, "bad"), reply(1), reply(1, "bad"), reply(2), reply(2, "bad")]
        it = listener(registry)
        with (
            case("six replies, of which the registry raises for three", expected="no exception"),
            caplog.at_level(logging.WARNING),
        ):
            it.deliver(sent)
            it.deliver([reply(3)])
        expect(
            registry.given == ["a0", "bad0", "a1", "bad1", "a2", "bad2", "a3"],
            "it is the only one who listens: if it stops, every client of this server waits",
            sent="a0 bad0 a1 bad1 a2 bad2, then a3; the registry raises for each bad one",
            got=f"handed over: {registry.given}",
            expected="all seven",
        )
        expect(
            len(caplog.records) >= 3,
            "a fault that nobody can read about is never mended",
            sent="three replies that the registry raises for",
            got=f"{len(caplog.records)} lines in the log",
            expected="one for each, at level warning or above",
        )

    on_loop(check())
