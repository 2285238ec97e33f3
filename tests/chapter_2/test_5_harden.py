"""Task 2.5: violations(tape, opened, given), and the student's whole server under it."""

import importlib.util
import inspect
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from chapters.core import ScriptedCore
from chapters.core.trace import watching
from chapters.course import graft
from chapters.course.checking import case, expect, provided, show
from chapters.course.manifest import course
from chapters.course.real_server import running


def _beside(name: str):
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


seeded, tapes = _beside("seeded"), _beside("tapes")
LEGEND = "(. and ! are last ones, ! with an error; (2) two tokens; – none)"
ALL_70 = list(tapes.interleavings(tapes.replies("A", "A"), tapes.replies("B", "B", error=True)))


@pytest.fixture
def judge():
    """judge(tape, opened, given): the sentences that the student's invariant has for a run."""
    violations = provided("chapters.ch02_request_ids.harden", "violations")

    def run(tape, opened, given) -> list[str]:
        before = _copy(tape, opened, given)
        sent = f"tape {tapes.marked(tape)}, opened {opened}, given {_told(given)}"
        with case(sent):
            found = violations(tape, opened, given)
        expect(
            isinstance(found, list) and all(isinstance(s, str) and s.strip() for s in found),
            "the caller counts the sentences, and shows each to a person",
            sent=sent,
            got=show(found),
            expected="a list of strings, none of them empty",
        )
        expect(
            before == _copy(tape, opened, given),
            "who judges a run must not change it: the caller shows what was given, and to whom",
            sent=sent,
            got=f"afterwards: tape {tapes.marked(tape)}, opened {opened}, given {_told(given)}",
            expected="tape, opened and given as they were",
        )
        return found

    return run


def verdicts(judge, dispatch, kind) -> set[bool]:
    """Whether each tape of a kind was dispatched rightly; the invariant must agree every time."""
    kept = set()
    for tape, opened in kind(ALL_70):
        given, due = dispatch(tape, opened), seeded.by_uid(tape, opened)
        right = _given(given) == _given(due)
        found = judge(tape, opened, given)
        kept.add(right)
        expect(
            right is not bool(found),
            "an alarm that rings for right servers is switched off, and then it guards nothing"
            if right
            else "people read wrong words, or wait for missing ones, and nobody else notices",
            sent=f"tape {tapes.marked(tape)} {LEGEND}\n"
            f"          opened {opened}, given {_told(given)}\n"
            f"          by a dispatcher that does this: {_first_line(dispatch)}",
            got=f"{len(found)} violations, the first: {found[:1]}" if found else "[]: no violation",
            expected="[]: each was given what is due"
            if right
            else f"at least one sentence; due was {_told(due)}, and nothing to anybody else",
        )
        wronged = [u for u in {**given, **due} if list(given.get(u, ())) != list(due.get(u, ()))]
        expect(
            len(found) >= len(wronged),
            "each broken promise has a sentence: who mends the first one only, and hears of the "
            "second a day later, has been told half",
            sent=f"tape {tapes.marked(tape)} {LEGEND}\n"
            f"          opened {opened}, given {_told(given)}",
            got=f"{len(found)} sentences: {found}",
            expected=f"at least {len(wronged)}, about {' and '.join(wronged)}; due was "
            f"{_told(due)}, and nothing to anybody else",
        )
    return kept


def accepts(judge, dispatch, *kinds) -> None:
    """The invariant has nothing to say against a right dispatcher."""
    for kind in kinds:
        assert verdicts(judge, dispatch, kind) == {True}, dispatch


def tells_apart(judge, dispatch, *kinds) -> None:
    """The invariant rejects a wrong dispatcher's runs, and accepts right ones of the same tapes."""
    for kind in kinds:
        accepts(judge, seeded.by_uid, kind)
        assert False in verdicts(judge, dispatch, kind), dispatch


def _copy(tape, opened, given) -> tuple:
    return list(tape), list(opened), {uid: list(replies) for uid, replies in given.items()}


def _given(given) -> dict:
    return {uid: list(replies) for uid, replies in given.items() if len(replies)}


def _told(given) -> str:
    return "; ".join(f"to {uid}: {tapes.marked(replies)}" for uid, replies in given.items()) or "{}"


def _first_line(dispatch) -> str:
    return dispatch.__doc__.partition("\n")[0]


def test_every_interleaving(judge):
    """All 70 orders are right if each owner gets its own, and wrong whenever one does not."""
    accepts(judge, seeded.by_uid, seeded.plain)
    tells_apart(judge, seeded.next_reply, seeded.plain)


def test_other_right_dispatchers(judge):
    """Copies, tuples, missing and empty entries are right; a reply that was changed is not."""
    kinds = (seeded.plain, seeded.with_strangers, seeded.cut)
    accepts(judge, seeded.by_uid_in_another_process, *kinds)
    accepts(judge, seeded.by_uid_as_needed, *kinds)
    accepts(judge, seeded.by_uid_with_empty_entries, *kinds)
    tells_apart(judge, seeded.texts_exchanged, seeded.plain)
    tells_apart(judge, seeded.hides_errors, seeded.plain)
    tells_apart(judge, seeded.counts_exchanged, seeded.plain)


def test_wrong_owner(judge):
    """Another's reply is found out, also among one's own, and under one's own name."""
    tells_apart(judge, seeded.to_everyone, seeded.plain)
    tells_apart(judge, seeded.with_the_readers_name, seeded.plain)
    tells_apart(judge, seeded.next_reply, seeded.with_strangers)
    tells_apart(judge, seeded.to_a_listener, seeded.plain)


def test_wrong_order(judge):
    """One's own replies in another order are found out."""
    tells_apart(judge, seeded.newest_first, seeded.plain)
    tells_apart(judge, seeded.late_ones_last, seeded.plain)


def test_lost(judge):
    """A reply that is missing is found out: the first, the last, or all behind some other."""
    tells_apart(judge, seeded.opened_too_late, seeded.plain)
    tells_apart(judge, seeded.closed_too_early, seeded.plain)
    tells_apart(judge, seeded.stops_at_a_stranger, seeded.with_strangers)
    tells_apart(judge, seeded.stops_at_the_first_end, seeded.plain)


def test_each_once(judge):
    """A reply that came once and was given twice is found out, and two equal ones are two."""
    tells_apart(judge, seeded.delivers_twice, seeded.plain, seeded.silent)
    tells_apart(judge, seeded.drops_equal_ones, seeded.silent)


def test_not_due(judge):
    """What comes after a last reply, or for a request that is not open, is due to nobody."""
    tells_apart(judge, seeded.goes_on_after_the_last, seeded.with_late_replies)
    tells_apart(judge, seeded.opens_for_anybody, seeded.with_strangers)


def test_unfinished(judge):
    """A tape that ends early leaves requests unfinished; an end that was not on it is invented."""
    tells_apart(judge, seeded.invents_an_end, seeded.cut)


def test_your_own_server(judge):
    """All of your own files together give each reply to its owner, on tapes and over a socket."""
    registry_of = provided("chapters.ch02_request_ids.registry", "Registry")
    pump = provided("chapters.ch02_request_ids.pump", "pump")

    def yours(tape, opened):
        """your registry and your pump"""
        with case(f"tape {tapes.marked(tape)}, opened {opened}: mend Tasks 2.2 to 2.4 first"):
            registry = registry_of()
            states = {uid: registry.open() for uid in opened}
            own = {uid: state.uid for uid, state in states.items()}
            back = {state.uid: uid for uid, state in states.items()}
            pump((_under(reply, own.get(reply.uid, reply.uid)) for reply in tape), registry)
            return {
                uid: [_under(reply, back.get(reply.uid, reply.uid)) for reply in state.replies]
                for uid, state in states.items()
            }

    kinds = (seeded.plain, seeded.with_strangers, seeded.with_late_replies, seeded.cut)
    for tape, opened in (run for kind in kinds for run in kind(ALL_70)):
        given, due = yours(tape, opened), seeded.by_uid(tape, opened)
        expect(
            _given(given) == _given(due),
            "if Tasks 2.2 to 2.4 pass, the parts do not fit together; else mend those first",
            sent=f"tape {tapes.marked(tape)}, opened {opened}, to your registry by your pump",
            got=_told(given),
            expected=_told(due),
        )
    accepts(judge, yours, *kinds)
    tells_apart(judge, seeded.next_reply, *kinds)
    over_a_socket()


def _under(reply, uid):
    return seeded.replace(reply, uid=uid)


def over_a_socket() -> None:
    """Four callers at once, all under one X-Request-Id, and one whose id is refused."""
    app = graft.build(course()[2], ScriptedCore({name: [name] * 5 for name in "abcd"}))

    def ask(name, header="mine"):
        body = {"prompt": name, "max_tokens": 9, "temperature": 0}
        with case(f"the prompt {name}, over a real socket: mend Tasks 2.1 to 2.4 first"):
            headers = {"X-Request-Id": header}
            return httpx.post(f"{url}/v1/completions", json=body, headers=headers, timeout=25)

    with watching() as watch, running(app) as url, ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(ask, "abcd"))
        refused = ask("a", "x" * 129)
    statuses = [answer.status_code for answer in (*answers, refused)]
    entry = app if inspect.isfunction(app) else app.__call__
    old = 500 in statuses and not inspect.iscoroutinefunction(entry)
    expect(
        statuses == [200, 200, 200, 200, 400],
        "uvicorn takes an app that is not `async def __call__` for one of an older kind (ASGI 2)"
        if old
        else "if Tasks 2.1 to 2.4 pass, the parts do not fit together; else mend those first",
        sent="a, b, c and d at once with X-Request-Id mine; then one of 129 characters",
        got=f"{statuses}, the first with {answers[0].text[:100]!r}",
        expected="200 four times, then 400",
    )
    told = [(a.json()["choices"][0]["text"], a.headers.get("x-request-id")) for a in answers]
    ids = {answer.json()["id"] for answer in answers}
    expect(
        told == [(name * 5, "mine") for name in "abcd"]
        and len(ids) == 4
        and not watch.of("discarded"),
        "clients may choose the same id; the answers must stay apart all the same",
        sent="a, b, c and d at once with X-Request-Id mine",
        got=f"{told}, {len(ids)} ids, {len(watch.of('discarded'))} replies discarded",
        expected="aaaaa, bbbbb, ccccc, ddddd, each with mine; 4 ids; none discarded",
    )
