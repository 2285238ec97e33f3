"""Task 3.2: Bridge."""

import asyncio
import importlib.util
import threading
from pathlib import Path

import pytest

from chapters.core import Reply
from chapters.course.checking import case, expect, provided

_spec = importlib.util.spec_from_file_location("waiting", Path(__file__).parent / "waiting.py")
waiting = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(waiting)
give_up, patience, settle = waiting.give_up, waiting.patience, waiting.settle

A, B, C = Reply("a", "A", 1), Reply("b", "B", 1), Reply("a", "C", 1, "stop")


def shown(calls) -> str:
    """What `deliver` was called with, by the replies' texts."""
    said = [f"[{' '.join(reply.text for reply in replies)}]" for replies in calls]
    return ", ".join(said) or "nothing"


class Landing:
    """What arrives on the loop, and in which thread; `until(n)` waits for n replies.

    meanwhile: called once, while `deliver` runs.
    """

    def __init__(self):
        self.meanwhile = lambda: None
        self.calls, self.threads = [], []
        self.loop, self.changed = asyncio.get_running_loop(), asyncio.Event()

    def deliver(self, replies) -> None:
        self.calls.append(list(replies))
        self.threads.append(threading.current_thread())
        meanwhile, self.meanwhile = self.meanwhile, lambda: None
        meanwhile()
        self.loop.call_soon_threadsafe(self.changed.set)

    @property
    def replies(self) -> list[Reply]:
        return [reply for call in self.calls for reply in call]

    async def until(self, count: int, sent: str, *posters, why: str | None = None) -> None:
        """Returns when `count` replies have landed. The loop is idle meanwhile."""
        more = asyncio.ensure_future(self._until(count, posters))
        done, _ = await asyncio.wait({more}, timeout=patience())
        for poster in posters:
            poster.check(sent)
        if not done:
            part = "the rest was dropped on the way, or lies where no wake-up of its own leads to"
            none = "the loop sleeps until something wakes it; the replies are there, nobody looks"
            give_up(
                why or (part if self.calls else none),
                sent=sent,
                got=f"{len(self.replies)} replies and then no more; deliver was called with "
                f"{shown(self.calls)}",
                expected=f"replies: {count}, soon, and without help from anything else",
            )

    async def _until(self, count: int, posters) -> None:
        while len(self.replies) < count and not any(poster.error for poster in posters):
            await self.changed.wait()
            self.changed.clear()


class Poster(threading.Thread):
    """A thread that posts, as the worker's does; `check` raises what it met."""

    def __init__(self, bridge, *posts, then=lambda: None):
        super().__init__(daemon=True)
        self.bridge, self.posts, self.then, self.error = bridge, posts, then, None
        self.returned = threading.Event()

    def run(self) -> None:
        try:
            for replies in self.posts:
                self.bridge.post(replies)
        except BaseException as error:
            self.error = error
        self.returned.set()
        self.then()

    def check(self, sent: str) -> None:
        if self.error:
            with case(sent, expected="no exception in the worker's thread: it would die of it"):
                raise self.error


@pytest.fixture
def bridge():
    """bridge(): the student's Bridge to the running loop, and where its replies land."""
    new = provided("chapters.ch03_queues.bridge", "Bridge")

    def build():
        landing = Landing()
        return new(asyncio.get_running_loop(), landing.deliver), landing

    return build


async def posted(bridge, landing: Landing, count: int, sent: str, *posts) -> None:
    """Post from another thread, to a loop that sleeps; returns when `count` replies have landed."""
    wake = landing.changed.set
    poster = Poster(
        bridge, *posts, then=lambda: poster.error and landing.loop.call_soon_threadsafe(wake)
    )
    landing.loop.call_soon(poster.start)
    await landing.until(count, sent, poster)


def on_a_loop(coroutine):
    """`on_loop` for what may leave a task that cannot be woken any more: it is not waited for."""
    loop = asyncio.new_event_loop()
    loop.set_debug(True)
    try:
        return loop.run_until_complete(coroutine)
    finally:
        let_go(loop)
        loop.close()


def let_go(loop) -> None:
    """Cancel what is left on a loop, and wait for nobody."""
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.run_until_complete(asyncio.sleep(0))


def test_wakes_the_loop(bridge):
    """Replies posted by another thread are delivered on a loop that has nothing else to do."""

    async def check():
        over, landing = bridge()
        sent = "[A, B] from another thread, to a loop that sleeps"
        await posted(over, landing, 2, sent, [A, B])
        expect(
            landing.replies == [A, B],
            "the HTTP side must get what the worker made, all of it and once",
            sent=sent,
            got=f"deliver was called with {shown(landing.calls)}",
            expected="A and B, once",
        )

    on_a_loop(check())


def test_delivers_in_the_loops_thread(bridge):
    """`deliver` runs in the loop's thread, whoever posted: another one, or the loop itself."""

    async def check():
        over, landing = bridge()
        sent = "one reply from another thread, one from the loop's own"
        await posted(over, landing, 1, sent, [A])
        loop = asyncio.get_running_loop()
        now = loop.time()
        loop.time = lambda: now
        with case(sent):
            over.post([B])
        await settle()
        del loop.time
        expect(
            landing.replies == [A, B],
            "a delay on every turn is a delay on every token that somebody waits for",
            sent="one reply, from the loop's own thread; the loop goes round, and no time passes",
            got=f"deliver was called with {shown(landing.calls[1:])}",
            expected="[B], as soon as the loop goes round, and not after some time",
        )
        names = [thread.name for thread in landing.threads]
        expect(
            set(landing.threads) == {threading.current_thread()} and landing.replies == [A, B],
            "what lives on the loop has no locks: touched from elsewhere it breaks, now and then",
            sent=sent,
            got=f"deliver ran in {names}, with {shown(landing.calls)}",
            expected=f"always in {threading.current_thread().name}, the loop's",
        )
        sent = "[A] from another thread; then, before the loop goes round, [B] from the loop's own"
        poster = Poster(over, [A])
        poster.start()
        poster.returned.wait(patience())  # on purpose: this holds the loop
        over.post([B])
        await landing.until(4, sent, poster)
        expect(
            landing.replies[2:] == [A, B],
            "whoever posts on the loop may not overtake what is on its way already",
            sent=sent,
            got=f"deliver was called with {shown(landing.calls[2:])}",
            expected="A, then B: in the order of the calls, from whichever thread they come",
        )

    on_a_loop(check())


def test_does_not_wait_for_the_loop(bridge):
    """`post` returns although the loop is busy with something else."""

    async def check():
        over, landing = bridge()
        sent = "300 posts of one reply while the loop is held by another piece of code"
        replies = [Reply("a", f"{number}", 1) for number in range(300)]
        poster = Poster(over, *([reply] for reply in replies))
        poster.start()
        back = poster.returned.wait(patience())  # on purpose: this holds the loop
        poster.check(sent)
        if not back:
            give_up(
                "a worker that waits for the HTTP side computes nothing for anybody meanwhile",
                sent=sent,
                got="they have not all returned: one waits for the loop, or each does for a while",
                expected="each leaves its reply there, and returns: there is room for all",
            )
        await landing.until(300, sent, poster)
        expect(
            landing.replies == replies,
            "what was posted while the loop was busy must be neither lost nor out of order",
            sent=sent,
            got=f"deliver was called with {shown(landing.calls)}",
            expected="the 300, in order, once the loop is free",
        )

    on_a_loop(check())


def test_while_deliver_runs(bridge):
    """What another thread posts while `deliver` runs is neither lost nor held up."""

    async def check():
        over, landing = bridge()
        sent = "[A]; while deliver has it, [B] and [C] from another thread"
        poster, back = Poster(over, [B], [C]), []

        def meanwhile():
            poster.start()
            back.append(poster.returned.wait(patience()))

        landing.meanwhile = meanwhile
        over.post([A])
        await landing.until(1, sent)
        if not back[0]:
            give_up(
                "whoever waits for the end of deliver, or for a lock it holds, computes nothing",
                sent=sent,
                got="post() has not returned, and would wait until deliver has ended",
                expected="it leaves the replies there, and returns",
            )
        await landing.until(3, sent, poster)
        expect(
            landing.replies == [A, B, C],
            "a turn may end at any moment, also while the last one's replies are handed out",
            sent=sent,
            got=f"deliver was called with {shown(landing.calls)}",
            expected="A, then B, then C",
        )

    on_a_loop(check())


def test_a_loop_that_does_not_run_just_now(bridge):
    """What is posted while the loop is open and does not run is delivered when it runs."""
    loop = asyncio.SelectorEventLoop()
    loop.set_debug(True)
    sent = "[A] from another thread, to a loop that is open and runs only afterwards"

    async def build():
        return bridge()

    try:
        over, landing = loop.run_until_complete(build())
        poster = Poster(over, [A])
        poster.start()
        poster.join(patience())
        why = "only a loop that is closed has ended; any other one will come to it"
        loop.run_until_complete(landing.until(1, sent, poster, why=why))
    finally:
        let_go(loop)
        loop.close()
    expect(
        landing.replies == [A],
        why,
        sent=sent,
        got=f"deliver was called with {shown(landing.calls)}",
        expected="A, once",
    )


def test_one_wake_up_a_turn(bridge):
    """The replies of one call arrive together, and those of many calls in their order."""
    turns = [
        [
            Reply(f"{n % 7}", f"{t}.{n}" * (n % 5 > 0), 1, "stop" if n == 20 else None)
            for n in range(40)
        ]
        for t in range(5)
    ]

    async def check():
        over, landing = bridge()
        sent = "five turns of 40 replies, each turn one post; every fifth reply has no text"
        await posted(over, landing, 200, sent, *turns)
        expect(
            landing.replies == sum(turns, []),
            "text is joined in the order of arrival: out of order it is nonsense",
            sent=sent,
            got=f"{len(landing.replies)} replies, their texts "
            f"{[reply.text for reply in landing.replies][:9]} and so on",
            expected="all 200, in order, with or without text: '', 0.1, 0.2, 0.3, 0.4, '', 0.6 …",
        )
        expect(
            len(landing.calls) <= 5,
            "waking the loop costs far more than carrying a reply: once a turn, not once a token",
            sent=sent,
            got=f"deliver was called {len(landing.calls)} times",
            expected="5 times at most",
        )

    on_a_loop(check())


def test_nothing_is_no_wake_up(bridge):
    """No replies are no call of `deliver`."""

    async def check():
        over, landing = bridge()
        sent = "[], then [A], then []"
        await posted(over, landing, 1, sent, [], [A], [])
        over.post([])
        over.post([C])
        await landing.until(2, sent)
        expect(
            landing.calls in ([[A], [C]], [[A, C]]),
            "an idle turn should cost the event loop nothing",
            sent="[], [A], [] from another thread, then [] and [C] from the loop",
            got=f"deliver was called with {shown(landing.calls)}",
            expected="[A] and [C] only",
        )

    on_a_loop(check())


class ClosesInBetween(asyncio.SelectorEventLoop):
    """A loop that is open for whoever looks, and closed a moment later."""

    armed = False

    def is_running(self):
        return self.armed or super().is_running()

    def call_soon_threadsafe(self, *args, **options):
        if self.armed:
            self.armed = False
            self.close()
        return super().call_soon_threadsafe(*args, **options)


def test_a_closed_loop():
    """Once the loop is closed, replies are dropped and nothing is raised."""
    new = provided("chapters.ch03_queues.bridge", "Bridge")
    for loop, about in (
        (asyncio.SelectorEventLoop(), "a loop that is closed"),
        (ClosesInBetween(), "a loop that is closed just after you have looked whether it is"),
    ):
        calls = []

        async def build(loop=loop, calls=calls):
            return new(loop, calls.append)

        over = loop.run_until_complete(build())
        let_go(loop)
        if isinstance(loop, ClosesInBetween):
            loop.armed = True
        else:
            loop.close()
        poster = Poster(over, [A], [B], [])
        poster.start()
        back = poster.returned.wait(patience())
        loop.armed = False
        loop.close()
        poster.check(about)
        expect(
            back and calls == [],
            "the server has ended, and the worker should end too, not crash in its last turn",
            sent=f"three posts to {about}",
            got=f"deliver was called with {shown(calls)}" if back else "post() has not returned",
            expected="each returns, and nothing is delivered",
        )
