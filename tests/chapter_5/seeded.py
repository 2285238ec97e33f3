"""Small services, right and wrong, that Task 5.5's invariant must tell apart.

Each plays both sides of a service with dice: clients come, leave or stay, and a worker goes on
meanwhile. None of the student's code is in it. A wrong one notes whom it has wronged, so that
its lucky runs must be accepted.
"""

import random
from collections import Counter, deque


class Right:
    """whoever leaves is let go of: one abort, at most one more pass, nothing kept"""

    def __init__(self, new_moment, seed: int):
        self.dice, self.new_moment = random.Random(seed), new_moment
        self.moments, self.wronged = [], set()
        self.live, self.inbox, self.outbox = set(), deque(), deque()
        self.running: dict[str, int] = {}
        self.seen: dict[str, Counter] = {}

    def note(self, kind: str, uid: str) -> None:
        self.moments.append(self.new_moment(kind, uid))
        self.seen.setdefault(uid, Counter())[kind] += 1

    # The HTTP side.

    def arrive(self, uid: str, tokens: int) -> None:
        self.note("opened", uid)
        self.live.add(uid)
        self.inbox.append((uid, tokens))

    def leave(self, uid: str) -> None:
        self.ask(uid)
        self.close(uid)

    def ask(self, uid: str) -> None:
        self.note("abort asked", uid)
        self.inbox.append((uid, None))

    def close(self, uid: str) -> None:
        self.note("closed", uid)
        self.live.discard(uid)

    def deliver(self, uid: str) -> None:
        """The last reply, which is late if nobody waits any more."""
        if uid in self.live:
            self.note("last reply", uid)
            self.close(uid)

    # The worker. It yields wherever the other side may go on.

    def work(self):
        while True:
            while self.inbox:
                self.take(*self.inbox.popleft())
            yield
            for uid in list(self.running):
                self.note("pass", uid)
                yield
                self.running[uid] -= 1
                if self.running[uid] == 0:
                    yield from self.end(uid)

    def take(self, uid: str, tokens: int | None) -> None:
        if tokens:
            self.running[uid] = tokens
        elif tokens == 0:
            self.outbox.append(uid)  # it does not fit: refused without a pass
        elif uid in self.running:
            self.drop(uid)

    def drop(self, uid: str) -> None:
        del self.running[uid]
        if self.seen[uid]["pass"]:
            self.note("kv freed", uid)

    def end(self, uid: str):
        del self.running[uid]
        self.note("kv freed", uid)
        yield
        self.outbox.append(uid)

    # One run.

    def run(self) -> list:
        """Six requests, some of whose clients leave; the moments until the worker is idle."""
        coming = deque((uid, self.dice.choice([0, 1, 2, 3, 5, 8])) for uid in "abcdef")
        leaving, worker = set(self.dice.sample("abcdef", 4)), self.work()
        while coming or self.live or self.running or self.inbox or self.outbox:
            gone = sorted(self.live & leaving)
            doing = ["work"] * 5 + ["come"] * bool(coming) + ["go"] * bool(gone)
            doing = self.dice.choice(doing + ["deliver"] * 2 * bool(self.outbox))
            if doing == "work":
                next(worker)
            elif doing == "come":
                self.arrive(*coming.popleft())
            elif doing == "go":
                uid = self.dice.choice(gone)
                leaving.discard(uid)
                self.leave(uid)
            else:
                self.deliver(self.outbox.popleft())
        for _ in range(3):
            next(worker)  # what it was about to do
        return self.moments


class RightAndPrompt(Right):
    """the abort is looked at before every pass, so that the turn under way is cut short"""

    def work(self):
        while True:
            yield
            for uid in [*self.running, None]:
                while self.inbox:
                    self.take(*self.inbox.popleft())
                if uid in self.running:
                    self.note("pass", uid)
                    yield
                    self.running[uid] -= 1
                    if self.running[uid] == 0:
                        yield from self.end(uid)


class RightButFreesLater(Right):
    """the last reply leaves first, and the cache is freed afterwards"""

    def end(self, uid):
        del self.running[uid]
        self.outbox.append(uid)
        yield
        self.note("kv freed", uid)


class RightOneByOne(Right):
    """one request at a time, in the order in which they came; the others wait without a pass"""

    def work(self):
        while True:
            while self.inbox:
                self.take(*self.inbox.popleft())
            yield
            for uid in list(self.running)[:1]:
                self.note("pass", uid)
                yield
                self.running[uid] -= 1
                if self.running[uid] == 0:
                    yield from self.end(uid)


class NobodyIsTold(Right):
    """the HTTP side forgets who has left, and the worker never hears of it"""

    def leave(self, uid):
        self.wronged.add(uid)
        self.close(uid)


class AbortIsIgnored(Right):
    """the abort arrives, and the worker goes on to the end of the answer"""

    def drop(self, uid):
        pass

    def note(self, kind, uid):
        super().note(kind, uid)
        late = self.seen[uid]["late"] = self.seen[uid]["late"] + self.is_late(kind, uid)
        if late > 1:
            self.wronged.add(uid)

    def is_late(self, kind, uid) -> bool:
        return kind == "pass" and self.seen[uid]["abort asked"] > 0


class QueuedAreNotFound(AbortIsIgnored):
    """the abort looks among those that have begun, so whoever left the queue is computed"""

    def drop(self, uid):
        if self.seen[uid]["pass"]:
            Right.drop(self, uid)


class TwoMorePasses(AbortIsIgnored):
    """the abort is looked at when the pass after the next one is over"""

    def drop(self, uid):
        if self.seen[uid]["late"] < 2:
            self.inbox.append((uid, None))
        else:
            Right.drop(self, uid)

    def work(self):
        while True:
            for _ in range(len(self.inbox)):
                self.take(*self.inbox.popleft())
            yield
            for uid in list(self.running):
                self.note("pass", uid)
                yield
                self.running[uid] -= 1
                if self.running[uid] == 0:
                    yield from self.end(uid)


class AsksTwice(Right):
    """two layers each send an abort for the same request"""

    def ask(self, uid):
        self.wronged.add(uid)
        super().ask(uid)
        self.note("abort asked", uid)


class AbortsWhatHasEnded(Right):
    """every request is aborted when it is done with, those that were answered too"""

    def deliver(self, uid):
        if uid in self.live:
            self.wronged.add(uid)
            self.note("last reply", uid)
            self.leave(uid)


class LastStepCounts(Right):
    """an abort during the last step is asked for, and the request completes all the same"""

    def leave(self, uid):
        if self.running.get(uid) == 1 and self.seen[uid]["pass"]:
            self.wronged.add(uid)
            self.note("abort asked", uid)
        else:
            super().leave(uid)


class ForgetsFirst(Right):
    """it is forgotten first, and the abort is asked for afterwards"""

    def leave(self, uid):
        self.wronged.add(uid)
        self.close(uid)
        self.ask(uid)


class KeepsWhoLeft(Right):
    """the entry of a request whose client has left is never removed"""

    def leave(self, uid):
        self.wronged.add(uid)
        self.ask(uid)
        self.live.discard(uid)


class KeepsWhoWasServed(Right):
    """the entry is removed when a client leaves, and not when it was served"""

    def deliver(self, uid):
        if uid in self.live:
            self.wronged.add(uid)
            self.note("last reply", uid)
            self.live.discard(uid)


class ClosesTwice(Right):
    """two layers each forget the same request"""

    def close(self, uid):
        if self.seen[uid]["abort asked"]:
            self.wronged.add(uid)
            self.note("closed", uid)
        super().close(uid)


class OpensTwice(Right):
    """a second request is opened under an id that is in use"""

    def arrive(self, uid, tokens):
        super().arrive(uid, tokens)
        if uid in "be":
            self.wronged.add(uid)
            self.note("opened", uid)


class DeliversToNobody(Right):
    """the last reply of a request that was forgotten is delivered all the same"""

    def deliver(self, uid):
        if uid not in self.live:
            self.wronged.add(uid)
            self.note("last reply", uid)
        super().deliver(uid)


class WorksUnasked(Right):
    """a forward pass is made for a request that nobody has opened"""

    def close(self, uid):
        super().close(uid)
        if uid == "c":
            self.wronged.add("x")
            self.note("pass", "x")
            self.note("kv freed", "x")


class KeepsTheCache(Right):
    """an aborted request is dropped, and its cache is kept"""

    def drop(self, uid):
        del self.running[uid]
        if self.seen[uid]["pass"]:
            self.wronged.add(uid)


class FreesTwice(Right):
    """an abort that comes after the end frees the cache once more"""

    def take(self, uid, tokens):
        if tokens is None and uid not in self.running and self.seen[uid]["kv freed"]:
            self.wronged.add(uid)
            self.note("kv freed", uid)
        super().take(uid, tokens)


class FreesUnderTheWorker(Right):
    """the HTTP side frees the cache itself, and the worker still makes its pass of this turn"""

    def leave(self, uid):
        super().leave(uid)
        if uid in self.running and self.seen[uid]["pass"]:
            self.note("kv freed", uid)

    def drop(self, uid):
        del self.running[uid]
        if self.seen[uid]["pass"] and not self.seen[uid]["kv freed"]:
            self.note("kv freed", uid)

    def end(self, uid):
        del self.running[uid]
        if not self.seen[uid]["kv freed"]:
            self.note("kv freed", uid)
        yield
        self.outbox.append(uid)

    def note(self, kind, uid):
        super().note(kind, uid)
        if kind == "pass" and self.seen[uid]["kv freed"]:
            self.wronged.add(uid)


def told(moments, uids) -> str:
    """The moments of these requests, a line each."""
    lines = []
    for uid in uids:
        kinds = [moment.kind for moment in moments if moment.uid == uid]
        lines.append(f"          {uid}: {' · '.join(kinds)}")
    return "\n".join(lines)
