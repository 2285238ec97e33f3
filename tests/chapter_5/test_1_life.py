"""Task 5.1: Life."""

import logging

import pytest

from chapters.course.checking import case, expect, fail, provided

ENDINGS = ("finished", "failed", "aborted")


@pytest.fixture
def new_life():
    return provided("chapters.ch05_cancellation.life", "Life")


def test_first_ending_wins(new_life):
    """Whichever ending comes first stays; the second is told False and changes nothing."""
    for first in ENDINGS:
        for second in ENDINGS:
            life = new_life()
            with case(
                f"end({first!r}), then end({second!r})",
                expected="True, then False: to come second is normal",
            ):
                before, told = life.ending, (life.end(first), life.end(second))
            expect(
                (before, told, life.ending) == (None, (True, False), first),
                "the last reply and the client's leaving race; if both count, an answer that was "
                "delivered is aborted, or one that was aborted is counted as served",
                sent=f"end({first!r}), then end({second!r})",
                got=f"ending {before!r} at first; {told}; ending {life.ending!r}",
                expected=f"ending None at first; (True, False); ending {first!r}",
            )


def test_unknown_ending(new_life):
    """An ending that is none of the three is a ValueError, at any time, and changes nothing."""
    life, heard = new_life(), []
    life.on_end(heard.append)
    before = ""
    for wrong in ("cancelled", "", None):
        refused(life, wrong, f"{before}end({wrong!r})")
        before = "end('cancelled'), which raised ValueError; then "
    expect(
        life.ending is None and heard == [],
        "a call that was refused must have done nothing: the request is still running",
        sent="end('cancelled'), which raised ValueError",
        got=f"ending {life.ending!r}, clean-ups called with {heard}",
        expected="ending None, no clean-up called",
    )
    expect(
        life.end("aborted") is True and life.ending == "aborted",
        "after a refused call the request must still be able to end",
        sent="end('aborted'), after end('cancelled') had raised",
        got=life.ending,
        expected="True, and ending 'aborted'",
    )
    refused(life, "cancelled", "end('aborted'), then end('cancelled')")
    expect(
        (life.ending, heard) == ("aborted", ["aborted"]),
        "a call that was refused must have done nothing: the request has ended before",
        sent="end('aborted'), then end('cancelled'), which raised ValueError",
        got=f"ending {life.ending!r}, clean-ups called with {heard}",
        expected="ending 'aborted', the clean-up called once",
    )


def refused(life, wrong, sent) -> None:
    """`life.end(wrong)` raises ValueError."""
    try:
        got = life.end(wrong)
    except ValueError:
        return
    fail(
        "a misspelt ending ends requests in a way that nobody looks for; if it usually comes "
        "second, or if the first slip has already set it, the mistake is not noticed",
        sent=sent,
        got=got,
        expected="ValueError, whatever was called before",
    )


def test_clean_ups_once_youngest_first(new_life):
    """The clean-ups are called once, the youngest first, with the ending that won."""
    life, heard = new_life(), []
    for name in ("slot", "cache", "mailbox"):
        life.on_end(lambda ending, name=name: heard.append((name, ending)))
    expect(heard == [], "the request still needs what it holds", sent="on_end, three times")
    life.end("failed")
    life.end("aborted")
    expect(
        heard == [("mailbox", "failed"), ("cache", "failed"), ("slot", "failed")],
        "what was taken last may rest on what was taken before, so it is given back first; and "
        "what is given back twice may be somebody else's by then",
        sent="on_end for slot, cache and mailbox, in this order; end('failed'); end('aborted')",
        got=heard,
        expected=[("mailbox", "failed"), ("cache", "failed"), ("slot", "failed")],
    )


def test_registered_too_late(new_life):
    """A clean-up that is registered after the end is called at once, and only then."""
    life, heard = new_life(), []
    life.end("aborted")
    life.on_end(heard.append)
    at_once = list(heard)
    life.end("finished")
    expect(
        (at_once, heard) == (["aborted"], ["aborted"]),
        "a client may leave while something is being set up for it: whoever finishes setting up "
        "after the end must still have it given back, or it is kept for ever",
        sent="end('aborted'); on_end(clean_up); end('finished')",
        got=f"called with {at_once} at once, with {heard} in all",
        expected="called with 'aborted' at once, and never again",
    )


def test_a_clean_up_that_raises(new_life, caplog):
    """A clean-up that raises is logged, and stops neither the others nor whoever ended it."""
    life, heard = new_life(), []
    life.on_end(lambda ending: heard.append("first"))
    life.on_end(lambda ending: [][1])
    life.on_end(lambda ending: heard.append("third"))
    with (
        caplog.at_level(logging.DEBUG),
        case("three clean-ups, the second of which raises", expected="no exception: it is logged"),
    ):
        got = life.end("finished")
    expect(
        (got, heard) == (True, ["third", "first"]),
        "one broken clean-up would keep all that the others hold, request after request",
        sent="clean-ups first, broken and third; end('finished')",
        got=f"{got}, and {heard} were called",
        expected="True, and third and first were called",
    )
    expect(
        len(caplog.records) == 1,
        "a fault that nobody is told of is never mended",
        got=f"{len(caplog.records)} lines in the log",
        expected="one, about the clean-up that raised",
    )


def test_decided_before_the_clean_ups_run(new_life):
    """While clean-ups run the ending is already set, and ending it once more is False."""
    life, seen = new_life(), []

    def clean_up(ending):
        seen.append((ending, life.ending, life.end("finished")))
        life.on_end(lambda ending: seen.append(ending))

    life.on_end(clean_up)
    with case("a clean-up that calls end and on_end itself", expected="both may be called"):
        life.end("aborted")
    expect(
        seen == [("aborted", "aborted", False), "aborted"] and life.ending == "aborted",
        "giving a mailbox back may end the same request again; if it does not find that all is "
        "decided, the request ends in two ways, and its clean-ups run inside each other",
        sent="end('aborted'), with a clean-up that notes its argument, life.ending and what "
        "end('finished') gives, and then registers another one with on_end",
        got=f"{len(seen)} notes, the first two: {seen[:2]}; then ending {life.ending!r}",
        expected="2 notes: ('aborted', 'aborted', False), and 'aborted' from the new clean-up; "
        "then ending 'aborted'",
    )


def test_two_lives(new_life):
    """Two lives share nothing."""
    one, other, heard = new_life(), new_life(), []
    one.on_end(lambda ending: heard.append("one"))
    other.on_end(lambda ending: heard.append("other"))
    one.end("aborted")
    expect(
        (heard, other.ending) == (["one"], None),
        "one client leaves, and a stranger's request is cleaned up under its hands",
        sent="a clean-up for each of two lives; end('aborted') on the first",
        got=f"clean-ups called: {heard}; the other's ending: {other.ending!r}",
        expected="clean-ups called: ['one']; the other's ending: None",
    )
    expect(
        other.end("finished") is True and heard == ["one", "other"],
        "the other request must end by itself, in its own way",
        sent="end('finished') on the second",
        got=f"{heard}, ending {other.ending!r}",
        expected="True, and its own clean-up",
    )
