"""Task 1.5: violations(exchanges), and the student's whole server under it."""

import importlib.util
import sys
from pathlib import Path

import pytest

from chapters.course import graft
from chapters.course.calling import ask, one_loop
from chapters.course.checking import case, expect, provided, show
from chapters.course.manifest import course

_spec = importlib.util.spec_from_file_location("seeded", Path(__file__).parent / "seeded.py")
seeded = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(seeded)


HARDEN = "chapters.ch01_http.harden"


@pytest.fixture
def judge():
    """judge(server) -> (its run, the same in words, the student's sentences about it)."""
    violations = provided(HARDEN, "violations")
    exchange = provided(HARDEN, "Exchange")

    def run(server, requests=seeded.REQUESTS, kind="a server"):
        with case(kind):
            exchanges = seeded.observe(server, exchange, requests)
            sent = f"{kind}; {_run(exchanges)}"
        with case(sent):
            found = violations(exchanges)
        expect(
            isinstance(found, list) and all(isinstance(sentence, str) for sentence in found),
            "the caller shows each sentence to a person",
            sent=sent,
            got="None: is a `return` missing?" if found is None else found,
            expected="a list of strings",
        )
        return exchanges, sent, found

    return run


def accepts(judge, server, requests=seeded.REQUESTS, kind="a right server") -> None:
    """The invariant has nothing to say against a right server."""
    exchanges, sent, found = judge(server, requests, f"{kind}: {_about(server)}")
    if not found:
        return
    why = "an alarm that rings for right servers is switched off, and then it guards nothing"
    if kind != "a right server":
        why = "your rule has found a fault of your own server: one of Tasks 1.1 to 1.4 breaks it"
    elif _alone(exchanges) == []:
        why = "asked about this run alone, it says []: your function still knows the runs before it"
    expect(
        False,
        why,
        sent=sent,
        got=f"{len(found)} violations, the first: {show(found[:1])}",
        expected="[]: it keeps every promise",
    )


def rejects(judge, server, at_least: int = 1) -> None:
    """The invariant has a sentence, or more, against a wrong server."""
    exchanges, sent, found = judge(server, kind=f"a wrong server: {_about(server)}")
    broken = seeded.broken(exchanges)
    expect(
        len(found) >= at_least,
        "an invariant that lets this server pass guards nothing"
        if not found
        else "whoever reads the list mends what is on it; what is not on it stays broken",
        sent=sent,
        got=f"{len(found)} sentence: {show(found)}" if found else "[]: no violation",
        expected=f"a sentence for each broken promise; here, {broken[0]}"
        if at_least == 1
        else f"a sentence for each broken promise; here, {len(broken)}: {'; '.join(broken[:2])} …",
    )


def _alone(exchanges) -> list:
    """What the student's function says of this run when it has never been called before."""
    sys.modules.pop(HARDEN, None)
    return provided(HARDEN, "violations")(exchanges)


def tells_apart(judge, server) -> None:
    """The invariant rejects a wrong server, and accepts a right one with the same requests."""
    accepts(judge, seeded.right)
    rejects(judge, server)


def _about(server) -> str:
    words = (server.__doc__ or type(server).__doc__).partition("\n")[0].rstrip(".")
    return f"{words} (status {server.status})" if hasattr(server, "status") else words


def _run(exchanges) -> str:
    """The first exchanges of a run, in words."""
    seen = [f"{e.status} with {len(e.prompts)} and {e.passes}" for e in exchanges[:5]]
    if not seen:
        return "it has not been asked anything"
    return f"status with number of prompts and number of passes: {', '.join(seen)} …"


def test_accepts_other_right_servers(judge):
    """Right servers are accepted, whatever their statuses and prompts, and before any request."""
    accepts(judge, seeded.right)
    accepts(judge, seeded.right_with_422)
    accepts(judge, seeded.right_with_an_instruction)
    accepts(judge, seeded.right, requests=[])


def test_tells_failures_from_refusals(judge):
    """Passes for a 500 are no fault: the model failed half-way. Passes for a 4xx are one."""
    accepts(judge, seeded.RightButBroken())
    rejects(judge, seeded.computes_before_checking)


def test_tells_the_busy_from_the_lazy(judge):
    """A 429, a 503 and a client that left break no promise; a 200 that was not computed does."""
    accepts(judge, seeded.RightAndBusy())
    rejects(judge, seeded.AnswersFromMemory())


def test_rejects_computing_for_bad_requests(judge):
    """A server that computes before it refuses is told from a right one, whatever its 4xx."""
    tells_apart(judge, seeded.computes_before_checking)
    rejects(judge, seeded.computes_for_an_unknown_model)
    for status in (400, 401, 404, 413, 422, 429, 499):
        rejects(judge, seeded.ComputesFirst(status))


def test_rejects_a_memory_for_conversations(judge):
    """A server that lets one request's words into another's prompt is told from a right one."""
    tells_apart(judge, seeded.RemembersTheConversation())
    rejects(judge, seeded.SwapsTheQuestion())


def test_rejects_a_memory_for_settings(judge):
    """A server where one request's limit applies to the next is told from a right one."""
    tells_apart(judge, seeded.RemembersTheLimit())


def test_rejects_answers_that_were_not_computed_once(judge):
    """A server that answers from a store, or computes twice, is told from a right one."""
    tells_apart(judge, seeded.AnswersFromMemory())
    rejects(judge, seeded.never_computes)
    rejects(judge, seeded.computes_twice)


def test_names_every_broken_promise(judge):
    """A server that breaks two promises gets two sentences or more."""
    rejects(judge, seeded.breaks_two_promises, at_least=2)


def test_your_own_server(judge):
    """All of your own files together, as a server, keep these promises."""
    statuses = []

    class Yours:
        """your files of this chapter, put together by server.py"""

        def __init__(self, run):
            self.app, self.run = None, run

        def __call__(self, core, body):
            with case(
                f"{show(body)} to all of your files together: mend Tasks 1.1 to 1.4 first",
                expected=f"status {seeded.judged(body)}",
            ):
                self.app = self.app or graft.build(course()[1], core)
                client = self.run(ask(self.app, body, path="/v1/chat/completions"))
            statuses.append(client.status)
            return statuses[-1]

    with one_loop() as run:
        accepts(judge, Yours(run), kind="your own server")
    for body, status in zip(seeded.REQUESTS, statuses, strict=True):
        expect(
            status == seeded.judged(body),
            "if Tasks 1.1 to 1.4 pass, the parts do not fit together; else mend those first",
            sent=f"{show(body)} to all of your files together",
            got=f"status {status}",
            expected=f"status {seeded.judged(body)}",
        )
