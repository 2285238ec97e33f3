"""Task 5.3: AbortableTurns."""

import threading

import pytest

from chapters.ch03_queues.worker import Worker
from chapters.core import Abort, GenerationRequest, Sampling, ScriptedCore
from chapters.core.trace import watching
from chapters.course.calling import WATCHDOG
from chapters.course.checking import case, expect, fail, provided


def request(uid: str, tokens: int = 5) -> GenerationRequest:
    return GenerationRequest(uid, tuple(uid.encode()), Sampling(max_tokens=tokens))


def too_long(uid: str) -> GenerationRequest:
    return GenerationRequest(uid, (65,) * 100, Sampling())


@pytest.fixture
def start():
    """start(core): the student's turns, in which what is raised shows what was received."""
    new_turns = provided("chapters.ch05_cancellation.aborts", "AbortableTurns")

    class Shown(new_turns):
        def receive(self, message):
            late = ": it may come when its request has ended" * isinstance(message, Abort)
            with case(f"receive({message!r})", expected=f"no exception{late}"):
                super().receive(message)

    return lambda core: Shown(core)


def ended(turns) -> list:
    """All further replies, turn by turn, until nothing is left to do."""
    replies = []
    for _ in range(50):
        if not turns.busy:
            return replies
        replies += turns.turn()
    fail(
        "a worker that is busy with nothing never sleeps: one processor is lost to every abort",
        got="`busy` is still True after 50 turns, long after all answers should have ended",
        expected="False once nothing is left to compute or to tell",
    )


def text_of(replies, uid: str) -> str:
    return "".join(reply.text for reply in replies if reply.uid == uid)


class Batching(ScriptedCore):
    """A core that keeps what it generates in a list of its own."""

    def __init__(self):
        super().__init__()
        self.rows = []

    def generate(self, *args, **named):
        self.rows.append(super().generate(*args, **named))
        return self.rows[-1]


def test_a_running_request_stops(start):
    """An abort between two turns: no further pass, no further reply, the KV cache gone at once."""
    core = Batching()
    turns = start(core)
    turns.receive(request("a", 50))
    turns.turn()
    turns.turn()
    turns.receive(Abort("a"))
    held = core.kv_tokens
    expect(
        held == 0,
        "memory that waits for some later moment is missing to the request that waits for it; and "
        "what was taken out of a table but not closed is held by whoever else knows it",
        sent="a request, two turns, its Abort; the core has a list of what it generates",
        got=f"keys and values of {held} tokens are still held when receive has returned",
        expected="none: by then its generation is closed",
    )
    expect(
        not turns.busy,
        "a worker that is busy with nothing never sleeps; and nobody waits for a reply any more",
        sent="a request, two turns, its Abort",
        got=f"busy is {turns.busy}",
        expected="False: nothing is running, and an abort leaves no reply to be told",
    )
    replies = turns.turn()
    expect(
        core.forwards == 2 and replies == [],
        "every further pass is computed for nobody, while somebody else waits for a turn",
        sent="a request, two turns, its Abort, one more turn",
        got=f"{core.forwards} forward passes; the last turn gave {replies}",
        expected="2 passes, and no reply after the abort",
    )


def test_others_go_on(start):
    """The other requests get every token that they would have got, in turns as before."""
    core, alone = ScriptedCore(), ScriptedCore()
    turns, reference = start(core), start(alone)
    for uid in ("a", "c"):
        reference.receive(request(uid))
    for uid in ("a", "b", "c"):
        turns.receive(request(uid))
    replies = turns.turn()
    turns.receive(Abort("b"))
    turn = turns.turn()
    expect(
        [reply.uid for reply in turn] == ["a", "c"],
        "one client leaves; whoever else is served must get a token in every turn, as before",
        sent="requests a, b, c, one turn, Abort of b, one turn",
        got=f"the last turn gave replies of {[reply.uid for reply in turn]}",
        expected="of ['a', 'c']",
    )
    replies += turn + ended(turns)
    wanted = ended(reference)
    for uid in ("a", "c"):
        got, due = ([r for r in some if r.uid == uid] for some in (replies, wanted))
        expect(
            got == due,
            "one client leaves, and a stranger's answer is spoilt",
            sent="requests a, b, c; Abort of b after the first turn",
            got=f"{len(got)} replies of {uid}, with {[reply.text for reply in got]}",
            expected=f"{len(due)}, with {[reply.text for reply in due]}, as without b",
        )


def test_before_its_first_pass(start):
    """A request that is aborted before its first turn costs no pass and gets no reply."""
    core = ScriptedCore()
    turns = start(core)
    turns.receive(request("a"))
    turns.receive(request("b"))
    turns.receive(Abort("b"))
    with watching() as watch:
        replies = ended(turns)
    passes = len(watch.of("prefill", "b")) + len(watch.of("decode", "b"))
    expect(
        passes == 0 and "b" not in {reply.uid for reply in replies},
        "under load most of those who leave leave while they wait: their prompts, often the "
        "longest part, would be computed all the same",
        sent="requests a and b, Abort of b, then turns",
        got=f"passes for b: {passes}; replies of {sorted({reply.uid for reply in replies})}",
        expected="passes for b: 0; replies of ['a']",
    )
    expect(
        len(watch.of("prefill", "a")) == 1 and len([r for r in replies if r.last]) == 1,
        "the one that nobody has aborted is to be answered",
        sent="requests a and b, Abort of b, then turns",
        got=f"replies {replies}",
        expected="all of a's",
    )


def test_refused_a_moment_ago(start):
    """The refusal of an aborted request is not told any more; another one's is."""
    turns = start(ScriptedCore(max_context=20))
    for uid in ("a", "b", "c"):
        turns.receive(too_long(uid))
    turns.receive(Abort("b"))
    replies = ended(turns)
    expect(
        [(reply.uid, bool(reply.error)) for reply in replies] == [("a", True), ("c", True)],
        "nobody waits for b's reply, and a and c wait for ever if theirs is lost with it",
        sent="three requests that do not fit, a, b and c; Abort of b; turns",
        got=[(reply.uid, reply.error and reply.error.kind) for reply in replies],
        expected="an error for a and one for c, and nothing for b",
    )
    turns.receive(too_long("d"))
    turns.receive(Abort("d"))
    expect(
        not turns.busy and turns.turn() == [],
        "a worker that is busy with nothing never sleeps; and nobody waits for its refusal",
        sent="a request that does not fit, and its Abort",
        got=f"busy is {turns.busy}",
        expected="not busy, and no reply",
    )


def test_too_late_or_unknown(start):
    """An abort of one that has ended, was aborted or was never heard of does nothing at all."""
    core = ScriptedCore()
    turns = start(core)
    turns.receive(Abort("nobody"))
    turns.receive(request("a", 1))
    got = ended(turns)
    turns.receive(request("b"))
    got += turns.turn()
    for uid in ("a", "nobody", "c", "c"):
        turns.receive(Abort(uid))
    got += ended(turns)
    passes = core.forwards
    expect(
        (text_of(got, "a"), len([r for r in got if r.uid == "b"]), passes) == ("a", 5, 6),
        "completion and cancellation cross on their way: the abort that comes too late is normal, "
        "and must not disturb whoever is being served",
        sent="a ends after its 1 token; during b's 5: Aborts of a, of nobody, and of c twice",
        got=f"a's text {text_of(got, 'a')!r}, {len(got) - 1} replies of b, {passes} passes",
        expected="a's text 'a', 5 replies of b, 6 passes",
    )
    turns.receive(request("d"))
    turns.turn()
    turns.receive(Abort("d"))
    turns.receive(Abort("d"))
    expect(
        core.kv_tokens == 0 and not turns.busy,
        "an abort may come twice; the second finds nothing",
        sent="a request, one turn, its Abort twice",
        got=f"{core.kv_tokens} tokens held, busy is {turns.busy}",
        expected="nothing held, not busy",
    )


def test_in_the_last_step(start):
    """One that is aborted when one token is missing is not finished: no last reply, no cache."""
    core = ScriptedCore()
    turns = start(core)
    turns.receive(request("a", 3))
    replies = turns.turn() + turns.turn()
    turns.receive(Abort("a"))
    after = ended(turns)
    expect(
        (core.forwards, core.kv_tokens, after) == (2, 0, []),
        "an abort counts from when it comes, however little is missing",
        sent="a request for 3 tokens, two turns, its Abort",
        got=f"{core.forwards} passes, {core.kv_tokens} tokens held, then {after}",
        expected="2 passes, nothing held, no reply",
    )
    expect(len(replies) == 2, "what came before the abort is as it was", got=replies)


def test_in_the_worker(start):
    """In the worker's thread: a pass under way ends, and nothing is computed after it."""
    core = ScriptedCore(gated=True)
    worker, replies, served = Worker(start(core)), [], threading.Event()

    def post(some):
        replies.extend(some)
        if any(reply.uid == "d" and reply.last for reply in some):
            served.set()

    died = []
    with watching() as watch:
        worker.start(post, lambda why: (died.append(why), served.set()))
        try:
            for message in (request("a", 9), request("b", 9), request("c", 9)):
                worker.put(message)
            watch.wait_for("prefill", watchdog=WATCHDOG)  # the pass of a is held
            for uid in ("a", "c", "b"):
                worker.put(Abort(uid))
            worker.put(request("d", 1))
            core.open()
            ended_in_time = served.wait(WATCHDOG)
        finally:
            core.open()
            worker.stop()
    passes = {uid: len(watch.of("prefill", uid) + watch.of("decode", uid)) for uid in "abcd"}
    expect(
        ended_in_time and not died,
        "the worker is everybody's: the next caller must be served",
        sent="requests a, b, c; during a's first pass their Aborts and a request d",
        got=f"the worker has died: {died[0]}" if died else "no reply for d",
        expected="d is answered",
    )
    expect(
        passes["a"] <= 1 and passes["b"] <= 1 and passes["c"] <= 1 and passes["d"] == 1,
        "an abort that takes effect between turns costs one pass at most, whoever it was for",
        sent="requests a, b, c; during a's first pass their Aborts and a request d of one token",
        got=f"forward passes: {passes}",
        expected="at most 1 each for a, b and c; 1 for d",
    )
    freed = len(watch.of("kv freed"))
    computed = sum(count > 0 for count in passes.values())
    expect(
        core.kv_tokens == 0 and freed == computed,
        "what is aborted and still holds its cache is a leak that no later request can use",
        got=f"{core.kv_tokens} tokens held; {freed} of {computed} caches were freed",
        expected="nothing held",
    )
