"""Task 1.5: violations(exchanges), and the student's whole server under it."""

import importlib.util
from pathlib import Path

import pytest

from chapters.course import graft
from chapters.course.checking import call, case, expect, provided
from chapters.course.manifest import course

_spec = importlib.util.spec_from_file_location("seeded", Path(__file__).parent / "seeded.py")
seeded = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(seeded)


@pytest.fixture
def judge():
    """judge(server): the sentences that the student's invariant has for a server's run."""
    violations = provided("chapters.ch01_http.harden", "violations")
    exchange = provided("chapters.ch01_http.harden", "Exchange")

    def run(server):
        found = violations(seeded.observe(server, exchange))
        expect(
            isinstance(found, list) and all(isinstance(sentence, str) for sentence in found),
            "the caller shows each sentence to a person",
            got=found,
            expected="a list of strings",
        )
        return found

    return run


def accepts(judge, server) -> None:
    """The invariant has nothing to say against a right server."""
    found = judge(server)
    expect(
        found == [],
        "an alarm that rings for right servers is switched off, and then it guards nothing",
        sent=f"a right server: {_about(server)}",
        got=f"{len(found)} violations, the first: {found[:1]}",
        expected="[]: it keeps every promise",
    )


def tells_apart(judge, server) -> None:
    """The invariant rejects a wrong server, and accepts a right one with the same requests."""
    accepts(judge, seeded.right)
    expect(
        judge(server) != [],
        "this fault was shipped by real servers, and nobody saw it until users complained",
        sent=f"a wrong server: {_about(server)}",
        got="[]: no violation",
        expected="at least one sentence",
    )


def _about(server) -> str:
    return (server.__doc__ or type(server).__doc__).partition("\n")[0]


def test_accepts_other_right_servers(judge):
    """A right server is accepted, also one with other statuses for what was wrong."""
    accepts(judge, seeded.right)
    accepts(judge, seeded.right_with_422)


def test_accepts_a_server_whose_model_fails(judge):
    """A 500 may have cost passes: the model failed half-way, the HTTP side did nothing wrong."""
    accepts(judge, seeded.RightButBroken())
    tells_apart(judge, seeded.computes_before_checking)


def test_accepts_a_server_that_turns_callers_away(judge):
    """A 503 without a prompt, and a client that left, break no promise."""
    accepts(judge, seeded.RightAndBusy())
    tells_apart(judge, seeded.AnswersFromMemory())


def test_rejects_computing_for_bad_requests(judge):
    """A server that computes before it checks is rejected."""
    tells_apart(judge, seeded.computes_before_checking)
    tells_apart(judge, seeded.computes_for_an_unknown_model)


def test_rejects_a_memory_for_conversations(judge):
    """A server that lets one request's words into another's prompt is rejected."""
    tells_apart(judge, seeded.RemembersTheConversation())
    tells_apart(judge, seeded.SwapsTheQuestion())


def test_rejects_a_memory_for_settings(judge):
    """A server where one request's limit applies to the next is rejected."""
    tells_apart(judge, seeded.RemembersTheLimit())


def test_rejects_answers_that_were_not_computed_once(judge):
    """A server that answers from a store, or computes twice, is rejected."""
    tells_apart(judge, seeded.AnswersFromMemory())
    tells_apart(judge, seeded.computes_twice)


def test_your_own_server(judge):
    """All of your own files together, as a server, keep these promises."""
    statuses = []

    class Yours:
        """your files of this chapter, put together by server.py"""

        def __init__(self):
            self.app = None

        def __call__(self, core, body):
            self.app = self.app or graft.build(course()[1], core)
            with case("a request to all of your files together: mend Tasks 1.1 to 1.4 first"):
                client = call(self.app, body, path="/v1/chat/completions")
            statuses.append(client.status)
            return statuses[-1]

    accepts(judge, Yours())
    wanted = [seeded.right(seeded.ScriptedCore(), body) for body in seeded.REQUESTS]
    expect(
        statuses == wanted,
        "if Tasks 1.1 to 1.4 pass, the parts do not fit together; else mend those first",
        sent=f"{len(wanted)} requests, good and bad",
        got=f"statuses {statuses}",
        expected=f"statuses {wanted}",
    )
