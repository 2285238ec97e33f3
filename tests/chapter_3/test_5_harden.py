"""Task 3.5: violations(moments), and the student's whole server under it."""

import importlib
import importlib.util
from concurrent.futures import ThreadPoolExecutor
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


@pytest.fixture
def judge():
    """judge(moments as (kind, uid)): the sentences that the student's invariant has for them."""
    violations = provided("chapters.ch03_queues.harden", "violations")
    moment = provided("chapters.ch03_queues.harden", "Moment")

    def run(moments):
        if isinstance(moments, str):
            given = seeded.moments(moments, moment)
        else:
            given = [moment(*pair) for pair in moments]
        with case(
            moments if isinstance(moments, str) else "what your own server did",
            expected="a list of sentences, whatever the run: nothing is raised",
        ):
            found = violations(given)
        expect(
            isinstance(found, list) and all(isinstance(sentence, str) for sentence in found),
            "the caller shows each sentence to a person",
            got=found,
            expected="a list of strings",
        )
        return found

    return run


FAIR = "two tokens of one, and another that ran all the while had none between them"
ENDS = "one that was admitted has to end, once"
LIVES = "a token has to be of one that runs"


def tells_apart(judge, right: dict[str, str], wrong: dict[str, str], broken: str) -> None:
    """The invariant has nothing to say against right runs, and something against wrong ones.

    broken: what is wrong with the wrong ones.
    """
    for about, run in right.items():
        found = judge(run)
        expect(
            found == [],
            "an alarm that rings for right servers is switched off, and then it guards nothing",
            sent=f"a right run, {about}: {run}",
            got=f"{len(found)} violations, the first: {found[:1]}",
            expected="[]  (+a is admitted, a is a token of it, -a is its end)",
        )
    for about, run in wrong.items():
        expect(
            judge(run) != [],
            "a server that does this looks healthy, and nobody sees it until users complain",
            sent=f"a wrong run, {about}: {run}",
            got="[]: no violation",
            expected=f"a sentence: {broken}  (+a is admitted, a is a token of it, -a is its end)",
        )


def test_fair_and_first_come_first_served(judge):
    """Turns are accepted; serving one to its end, or two tokens at a time, is rejected."""
    tells_apart(judge, seeded.FAIR, seeded.IN_A_ROW, FAIR)


def test_fair_and_starved(judge):
    """Rejected too: one that is left out while others take turns, if only once."""
    tells_apart(judge, seeded.FAIR, seeded.STARVED, FAIR)


def test_coming_and_going(judge):
    """Who comes or ends between two tokens of another was not running all the while."""
    tells_apart(judge, seeded.COMING_AND_GOING, seeded.IN_A_ROW, FAIR)


def test_refused_and_forgotten(judge):
    """A refused or failed one may end without a token; one that never ends is a violation."""
    tells_apart(judge, seeded.GOING_WRONG, seeded.NEVER_ENDED, ENDS)


def test_ended_once(judge):
    """Two ends of one request are one too many."""
    tells_apart(judge, seeded.FAIR, seeded.ENDED_TWICE, ENDS)
    for run in seeded.UNHEARD_OF.values():
        judge(run)  # reported or not, as you like; but nothing is raised


def test_no_life_outside(judge):
    """No token belongs to a request that has not been admitted, or that has ended."""
    tells_apart(judge, seeded.COMING_AND_GOING, seeded.OUT_OF_LIFE, LIVES)


SAYS = {"a": ["a"] * 8, "b": ["b"] * 3, "bug": ["x", RuntimeError("bug")], "c": ["c"] * 5}
ANSWERS = {"a": "a" * 8, "b": "bbb", "bug": 500, "c": "ccccc"}


class Noted:
    """The student's turns, seen from outside: what they are given, and what they give."""

    moments: list[tuple[str, str]]

    def __init__(self, *args):
        self.turns = provided("chapters.ch03_queues.turns", "Turns")(*args)

    @property
    def busy(self):
        return self.turns.busy

    def receive(self, message):
        self.turns.receive(message)
        self.moments.append(("admitted", message.uid))

    def drop(self, uid):
        self.turns.drop(uid)

    def turn(self):
        replies = self.turns.turn()
        for reply in replies:
            self.moments += [("token", reply.uid)] * reply.tokens
            self.moments += [("ended", reply.uid)] * reply.last
        return replies


def ask(url: str, name: str):
    """One caller: the text of the answer, its status if that is not 200, or what went wrong."""
    try:
        answer = httpx.post(f"{url}/v1/completions", json={"prompt": name}, timeout=2 * WATCHDOG)
    except httpx.HTTPError as error:
        return repr(error)
    if answer.status_code != 200:
        return answer.status_code
    return answer.json()["choices"][0]["text"]


def health(url: str):
    try:
        return httpx.get(f"{url}/health", timeout=WATCHDOG).status_code
    except httpx.HTTPError as error:
        return repr(error)


def test_your_own_server(judge):
    """All of your own files together, as a server, keep these promises and answer everyone."""
    with case("your files of this chapter, put together by server.py: mend Tasks 3.1 to 3.4 first"):
        given = importlib.import_module("chapters.ch03_queues.server").Server
        core = ScriptedCore(SAYS, gated=True)
        noted = type("Noted", (Noted,), {"moments": []})
        app = type("Server", (given,), {"new_turns": noted})(core).app
    sent = "a, b, c and one that fails, all at once; /health while the model is held in a pass"
    with (
        watching() as watch,
        running(app, before_end=core.open) as url,
        ThreadPoolExecutor(4) as pool,
    ):
        asked = {name: pool.submit(ask, url, name) for name in SAYS}
        try:
            watch.wait_for("submitted", 4, watchdog=WATCHDOG)
            watch.wait_for("prefill", watchdog=WATCHDOG)
            held = health(url)
        except TimeoutError as error:
            held = None
            seen = str(error)
        core.open()
        answers = {name: future.result() for name, future in asked.items()}
    if held is None:
        fail(
            "whoever asks while another is being answered must not have to wait outside",
            sent=sent,
            got=seen,
            expected="all four are submitted while the first is held in its first pass",
        )
    expect(
        held == 200,
        "while the model computes, the server must still be able to speak",
        sent=sent,
        got=f"/health: {held}",
        expected="status 200",
    )
    expect(
        answers == ANSWERS,
        "if Tasks 3.1 to 3.4 pass, the parts do not fit together; else mend those first",
        sent=sent,
        got=f"texts, or statuses: {answers}",
        expected=f"{ANSWERS}",
    )
    found = judge(noted.moments)
    expect(
        found == [],
        "either your server breaks a promise, or your invariant rejects a right one",
        sent=sent,
        got=f"{len(found)} violations, the first: {found[:1]}",
        expected="[]",
    )
