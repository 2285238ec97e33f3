"""Task 2.2: RequestState."""

import pytest

from chapters.core import Failure, Reply
from chapters.course.checking import case, expect, provided, show


@pytest.fixture
def new_state():
    return provided("chapters.ch02_request_ids.state", "RequestState")


def given(state, *replies: Reply):
    """The state, after it has taken these replies."""
    with case(f"apply() of {len(replies)} replies, one after the other"):
        for reply in replies:
            state.apply(reply)
    return state


def finished(state) -> bool:
    """What `state.finished` says, which must not have to be called."""
    with case(f"state.finished, of a state with {len(state.replies)} replies"):
        found = state.finished
    expect(
        not callable(found),
        "others read `state.finished` without parentheses: a method, not called, counts as true",
        sent="state.finished",
        got=show(found),
        expected="True or False: a property or an attribute, no method",
    )
    return bool(found)


def test_a_new_state(new_state):
    """A new state has its uid, no replies yet, and is not finished."""
    state = new_state("Req-1")
    expect(
        (state.uid, list(state.replies), finished(state)) == ("Req-1", [], False),
        "whoever looks at a request that has just begun must see that nothing has come yet",
        sent="RequestState('Req-1')",
        got=f"uid {state.uid!r}, replies {state.replies!r}, finished {state.finished!r}",
        expected="uid 'Req-1', replies [], finished False",
    )
    expect(
        isinstance(state.replies, list),
        "later chapters take parts of it for lists, and a part of a tuple or a deque is none",
        sent="RequestState('Req-1').replies",
        got=show(state.replies),
        expected="a list: []",
    )


def test_replies_in_order(new_state):
    """All replies are kept, in the order in which they came."""
    came = [Reply("u1", text, 1) for text in ("One", " two", " three", " and", " four")]
    state = given(new_state("u1"), *came)
    expect(
        list(state.replies) == came,
        "the answer is read from these, first to last: another order is another sentence",
        sent=[reply.text for reply in came],
        got=[reply.text for reply in state.replies],
        expected=[reply.text for reply in came],
    )


def test_equal_replies(new_state):
    """Replies that are equal, or have no text, are kept all the same: each cost a token."""
    came = [Reply("u1", "ha", 1), Reply("u1", "ha", 1), Reply("u1", "", 1), Reply("u1", "", 1)]
    state = given(new_state("u1"), *came)
    expect(
        list(state.replies) == came,
        "an answer may say the same word twice, and a token without text is paid for like others",
        sent=came,
        got=state.replies,
        expected="all four",
    )


def test_states_share_nothing(new_state):
    """What one request is given does not show in another, nor in one that begins later."""
    a, b = new_state("a"), new_state("b")
    given(a, Reply("a", "A1", 1), Reply("a", "A2", 1, "stop"))
    given(b, Reply("b", "B1", 1))
    later = new_state("c")
    seen = [[reply.text for reply in state.replies] for state in (a, b, later)]
    expect(
        seen == [["A1", "A2"], ["B1"], []]
        and [s.uid for s in (a, b, later)] == ["a", "b", "c"]
        and [finished(s) for s in (a, b, later)] == [True, False, False],
        "one person's words in another's answer: the worst that such a server can do",
        sent="A1 A2 (the last) to a, B1 to b; then a third state",
        got=f"replies {seen}, finished {[s.finished for s in (a, b, later)]}",
        expected="[A1 A2], [B1], []; finished True, False, False",
    )


def test_finished_with_a_reason(new_state):
    """The reply with a finish reason finishes the request, and none before it does."""
    for reason in ("stop", "length"):
        state = given(new_state("u1"), Reply("u1", "a", 1), Reply("u1", "b", 1))
        expect(
            not finished(state),
            "an answer that counts as finished too early is cut short",
            sent="two replies without a finish reason",
            got=f"finished {state.finished!r}",
            expected=False,
        )
        given(state, Reply("u1", "c", 1, reason))
        expect(
            finished(state),
            "whoever waits for the end of this request would wait for ever",
            sent=f"a third reply, with finish_reason {reason!r}",
            got=f"finished {state.finished!r}",
            expected=True,
        )


def test_finished_with_an_error(new_state):
    """A reply with an error finishes the request too."""
    failed = Reply("u1", error=Failure("server_error", "the model broke"))
    state = given(new_state("u1"), Reply("u1", "a", 1), failed)
    expect(
        finished(state) and list(state.replies)[-1:] == [failed],
        "after an error nothing more comes: who does not see it as the end waits for ever",
        sent="a reply, and one with error=Failure('server_error', …) and no finish reason",
        got=f"finished {state.finished!r}, last reply {list(state.replies)[-1:]}",
        expected="finished True, and the error kept as the last reply",
    )


def test_text_says_nothing_about_the_end(new_state):
    """An empty reply in the middle is no end, and a last one with text is one."""
    state = given(new_state("u1"), Reply("u1", "", 1))
    expect(
        not finished(state),
        "half a character gives no text yet; the rest of the answer is still to come",
        sent="a reply with text '' and no finish reason",
        got=f"finished {state.finished!r}",
        expected=False,
    )
    given(state, Reply("u1", "done", 1, "length"))
    expect(
        finished(state),
        "an answer cut off at its limit ends with text, and it ends",
        sent="then one with text 'done' and finish_reason 'length'",
        got=f"finished {state.finished!r}",
        expected=True,
    )
