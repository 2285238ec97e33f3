"""Task 2.3: Registry."""

import importlib.util
import inspect
from pathlib import Path

import pytest

from chapters.ch02_request_ids.state import RequestState
from chapters.core import Reply
from chapters.course.checking import case, expect, provided, show

_spec = importlib.util.spec_from_file_location("tapes", Path(__file__).parent / "tapes.py")
tapes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tapes)
named, replies = tapes.named, tapes.replies


REGISTRY = "chapters.ch02_request_ids.registry"


@pytest.fixture
def new_registry():
    return provided(REGISTRY, "Registry")


def loaded_anew():
    """`Registry` as another process has it."""
    spec = importlib.util.find_spec(REGISTRY)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Registry


def deliver(registry, tape, note: str = "") -> list:
    """What `deliver` returned for each reply of a tape. note: what the owners' state is."""
    returned = []
    for number, reply in enumerate(tape):
        sent = f"the tape {named(tape)}{note}, as far as {reply.text} (reply {number + 1})"
        with case(sent, expected="no exception: who has no owner is counted and dropped"):
            returned.append(registry.deliver(reply))
        expect(
            not inspect.isawaitable(returned[-1]),
            "who delivers calls, and awaits nothing: the body of an `async def` has not run yet",
            sent=sent,
            got=show(returned[-1]),
            expected="True or False, from a plain `def`",
        )
    return returned


def test_open(new_registry):
    """Each request is opened under a uid of its own, and found in `live` by it."""
    registry = new_registry()
    a, b = registry.open(), registry.open()
    expect(
        all(isinstance(state, RequestState) for state in (a, b)),
        "who opens a request reads its replies in the state, and its uid, too",
        sent="registry.open()",
        got=show(a),
        expected="the state that new_state made: a RequestState",
    )
    registry.close(a.uid)
    c = registry.open()
    uids = [a.uid, b.uid, c.uid]
    expect(
        len(set(uids)) == 3 and all(isinstance(uid, str) for uid in uids),
        "a uid that is given again while it is in use joins two requests",
        sent="open a, open b, close a, open c",
        got=f"uids {uids}",
        expected="three different strings",
    )
    expect(
        set(registry.live) == {b.uid, c.uid}
        and registry.live[b.uid] is b
        and registry.live[c.uid] is c,
        "a reply is given to the state found here; whoever opened it reads from that very state",
        sent="open a, open b, close a, open c",
        got=f"live {registry.live}",
        expected="the states of b and c under their uids",
    )
    many = {registry.open().uid for _ in range(500)}
    expect(
        len(many) == 500 and set(registry.live) == {b.uid, c.uid} | many,
        "only `close` forgets a request: however many are open, and whoever else knows of them",
        sent="open 500 more, and keep none of the states that open() returns",
        got=f"live has {len(registry.live)} requests",
        expected="502",
    )


def test_new_state(new_registry):
    """The state is made by `new_state` from the uid, and given replies by its `apply`."""

    class Counting:
        def __init__(self, name):
            self.uid, self.count, self.finished = name, 0, False

        def apply(self, reply):
            self.count += 1
            if reply.text == "A3":
                raise MemoryError("no room for A3")

    registry = new_registry(Counting)
    with case("Registry(Counting).open(): Counting is called with the uid alone, by position"):
        state = registry.open()
    expect(
        isinstance(state, Counting) and registry.live.get(state.uid) is state,
        "chapter 3 puts a state in here that can be waited for",
        sent="Registry(Counting).open()",
        got=state,
        expected="a Counting, in `live` under its uid",
    )
    deliver(registry, [Reply(state.uid, "A1", 1), Reply(state.uid, "A2", 1)])
    expect(
        state.count == 2,
        "a state may do more with a reply than keep it: it must hear of each",
        sent="two replies to a state of another kind",
        got=f"{state.count} calls of its apply()",
        expected="2",
    )
    came = None
    try:
        got = registry.deliver(Reply(state.uid, "A3", 1))
    except MemoryError as error:
        came = error
    expect(
        came is not None and registry.discarded == 0,
        "this reply had its owner: counted among the late ones, a fault looks like a client that "
        "has left",
        sent="a third reply, for which the state's apply() raises MemoryError",
        got=f"{'raised MemoryError' if came else f'returned {got!r}'}, "
        f"{registry.discarded} discarded",
        expected="MemoryError, and 0 discarded",
    )


def test_the_tape(new_registry):
    """A1 B1 B2 A2: each reply goes to the request that its uid names."""
    registry = new_registry()
    a, b = registry.open(), registry.open()
    (a1, a2), (b1, b2) = replies(a.uid, "A", 2), replies(b.uid, "B", 2)
    returned = deliver(registry, [a1, b1, b2, a2])
    expect(
        (named(a.replies), named(b.replies)) == ("A1 A2", "B1 B2"),
        "each caller must get the answer to its own question",
        sent="the tape A1 B1 B2 A2",
        got=f"a was given {named(a.replies)}; b was given {named(b.replies)}",
        expected="A1 A2 and B1 B2",
    )
    expect(
        all(returned) and len(returned) == 4,
        "deliver() says whether the reply found its owner; the trace and the counters read that",
        sent="four replies whose owners are open",
        got=returned,
        expected="True each time",
    )


def test_every_interleaving(new_registry):
    """All 70 ways to interleave 4 and 4 replies end in the same two answers."""
    for error in (False, True):
        registry = new_registry()
        for number in range(70):
            a, b = registry.open(), registry.open()
            ones, others = replies(a.uid, "A"), replies(b.uid, "B", error=error)
            tape = list(tapes.interleavings(ones, others))[number]
            deliver(registry, tape)
            expect(
                list(a.replies) == ones and list(b.replies) == others,
                "which of two computes faster must not decide who reads what",
                sent=f"the tape {named(tape)}",
                got=f"a was given {named(a.replies)}; b was given {named(b.replies)}",
                expected=f"{named(ones)} and {named(others)}",
            )
            registry.close(a.uid)
            registry.close(b.uid)


def test_unknown_reply(new_registry):
    """A reply that nobody here has asked for is counted and dropped; those behind it arrive."""
    registry = new_registry()
    a = registry.open()
    a1, a2, _ = replies(a.uid, "A", 3)
    tape = [a1, Reply("nobody", "X1", 1), a2, Reply("nobody", "X2", 1)]
    returned = deliver(registry, tape, " (only a is open)")
    expect(
        named(a.replies) == "A1 A2" and set(registry.live) == {a.uid},
        "a reply for somebody who is gone must neither reach another nor open a new request",
        sent="the tape A1 X1 A2 X2; only a is open",
        got=f"a was given {named(a.replies)}; live has {len(registry.live)} requests",
        expected="A1 A2; live has a alone",
    )
    expect(
        registry.discarded == 2,
        "dropped in silence, a fault that loses replies looks like a client that has left",
        sent="the tape A1 X1 A2 X2; only a is open",
        got=f"returned {returned}, discarded {registry.discarded}",
        expected="True, False, True, False, and 2 discarded",
    )
    expect(
        returned == [True, False, True, False],
        "who delivers is told each time whether it was done, in two words: True and False",
        sent="the tape A1 X1 A2 X2; only a is open",
        got=f"returned {returned}, discarded {registry.discarded}",
        expected="True, False, True, False, and 2 discarded",
    )


def test_after_the_last_reply(new_registry):
    """What comes after a request's last reply is late: counted, and kept from its owner."""
    for error in (False, True):
        registry = new_registry()
        a = registry.open()
        returned = deliver(
            registry, [*replies(a.uid, "A", 2, error=error), Reply(a.uid, "A3", 1, "stop")]
        )
        expect(
            named(a.replies) == "A1 A2" and bool(a.finished) and not returned[-1],
            "the owner has read its answer to the end; more would change what was already said",
            sent=f"A1 A2 (the last, with {'an error' if error else 'a finish reason'}) A3",
            got=f"a was given {named(a.replies)}, finished {a.finished!r}; "
            f"returned {returned}, discarded {registry.discarded}",
            expected="A1 A2, finished; True, True, False, and 1 discarded",
        )
        expect(
            registry.discarded == 1,
            "late is late, whether its owner is closed or finished: what is dropped is counted",
            sent=f"A1 A2 (the last, with {'an error' if error else 'a finish reason'}) A3",
            got=f"returned {returned}, discarded {registry.discarded}",
            expected="1 discarded",
        )
        expect(
            a.uid in registry.live,
            "a request is open until its owner closes it: who asks how many are being answered, or "
            "tells all that the server ends, looks into `live`",
            sent=f"A1 A2 (the last, with {'an error' if error else 'a finish reason'}) A3",
            got="a is not in live any more",
            expected="a in live: it has not been closed",
        )


def test_close(new_registry):
    """A closed request is forgotten, its late replies are dropped, and the others go on."""
    registry = new_registry()
    a, b = registry.open(), registry.open()
    (a1, a2), (b1, b2) = replies(a.uid, "A", 2), replies(b.uid, "B", 2)
    deliver(registry, [a1, b1])
    registry.close(a.uid)
    expect(
        set(registry.live) == {b.uid},
        "what is not forgotten stays in memory as long as the server runs",
        sent="open a, open b, A1 B1, close a",
        got=f"live has {len(registry.live)} requests",
        expected="b alone",
    )
    returned = deliver(registry, [a2, b2], " (a is closed)")
    expect(
        (named(a.replies), named(b.replies)) == ("A1", "B1 B2")
        and [bool(r) for r in returned] == [False, True]
        and registry.discarded == 1,
        "a client that has left before its answer was complete is nobody else's trouble",
        sent="open a, open b, A1 B1, close a, A2 B2",
        got=f"a was given {named(a.replies)}; b was given {named(b.replies)}; "
        f"returned {returned}, discarded {registry.discarded}",
        expected="A1; B1 B2; False, True, and 1 discarded",
    )


def test_close_again(new_registry):
    """Closing what is not live is fine, and closes nothing else."""
    registry = new_registry()
    a, b = registry.open(), registry.open()
    for what, uid in (("a", a.uid), ("a once more", a.uid), ("a uid never opened", "nobody")):
        with case(f"close {what}", expected="no exception"):
            registry.close(uid)
    expect(
        set(registry.live) == {b.uid} and registry.discarded == 0,
        "several places clean up after a request; the second one must do no harm",
        sent="open a, open b, close a, close a, close 'nobody'",
        got=f"live has {len(registry.live)} requests, discarded {registry.discarded}",
        expected="b alone, and 0 discarded: no reply was lost",
    )


def test_registries_share_nothing(new_registry):
    """Two registries, here or in two processes, know nothing of each other's requests."""
    here, there = new_registry(), new_registry()
    four = (here, there, loaded_anew()(), loaded_anew()())
    uids = [registry.open().uid for registry in four for _ in range(3)]
    expect(
        len(set(uids)) == 12,
        "one worker may compute for two registries, and its replies are told apart by the uid "
        "alone: it must be a new_uid(), no number that each registry counts",
        sent="3 requests opened in each of two registries, and in those of two other processes",
        got=f"uids {uids}",
        expected="twelve different ones",
    )
    for uid in uids:
        for registry in (here, there):
            registry.close(uid)
    a = here.open()
    a1, a2, _ = replies(a.uid, "A", 3)
    returned = deliver(there, [a1], " (a is open elsewhere)") + deliver(here, [a2])
    expect(
        [bool(r) for r in returned] == [False, True]
        and (here.discarded, there.discarded) == (0, 1)
        and (len(here.live), len(there.live)) == (1, 0),
        "a process may serve two models; what one has open is no business of the other",
        sent="a is open in one registry; A1 goes to the other, A2 to its own",
        got=f"returned {returned}, discarded {here.discarded} and {there.discarded}, "
        f"live {len(here.live)} and {len(there.live)}",
        expected="False, True; 0 and 1 discarded; 1 and 0 live",
    )
