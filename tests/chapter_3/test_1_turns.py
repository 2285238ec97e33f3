"""Task 3.1: Turns."""

import pytest

from chapters.core import (
    Abort,
    Failure,
    GenerationRequest,
    Reply,
    Sampling,
    ScriptedCore,
    WholeText,
)
from chapters.course.checking import case, expect, fail, provided

SAYS = {
    "short": ["S1"],
    "long": ["L1", " L2", " L3", " L4"],
    "half": [b"\xe6", b"\x97\xa5"],
    "stop": ["one", " two", " three"],
    "bug": ["B1", RuntimeError("the model fell over")],
    "typo": [KeyError("weights")],
}


class Speaking(WholeText):
    """A text decoder that says each token's text at once."""

    def push(self, token):
        super().push(token)
        return self.decode([token])

    def flush(self):
        return ""


class Keeping(ScriptedCore):
    """A core that holds on to what it computes, so that only closing gives memory back."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.kept = []

    def generate(self, prompt, sampling, *, uid=None):
        self.kept.append(super().generate(prompt, sampling, uid=uid))
        return self.kept[-1]


def request(uid: str, text: str, max_tokens: int = 20, **options) -> GenerationRequest:
    return GenerationRequest(uid, tuple(text.encode()), Sampling(max_tokens, **options))


def run(turns, most: int = 40) -> list[list[Reply]]:
    """Turns until there is nothing to do; the replies of each."""
    played = []
    while turns.busy:
        played.append(turns.turn())
        expect(
            isinstance(played[-1], list) and all(isinstance(r, Reply) for r in played[-1]),
            "replies travel on to the HTTP side as they are",
            got=played[-1],
            expected="a list of Reply",
        )
        if len(played) == most:
            fail(
                "a worker that is never done computes nothing, and takes a whole processor for it",
                got=f"still busy after {most} turns; the last gave {played[-1]}",
                expected="not busy once each request has had its last reply",
            )
    return played


def of(uid: str, played) -> list[Reply]:
    return [reply for replies in played for reply in replies if reply.uid == uid]


@pytest.fixture
def new():
    """new(core, …): the student's Turns."""
    return provided("chapters.ch03_queues.turns", "Turns")


def test_one_token_each_turn(new):
    """A turn is one token for each running request, in the order in which they came."""
    core = ScriptedCore()
    turns, seen = new(core), []
    sent = "a and b; after a turn also c; each may have 3 tokens"
    turns.receive(request("a", "first", 3))
    turns.receive(request("b", "second", 3))
    expect(core.forwards == 0, "taking up is not computing", got=f"{core.forwards} passes")
    for number in range(4):
        before = core.forwards
        with case(sent):
            replies = turns.turn()
        seen.append([*(reply.uid for reply in replies), core.forwards - before])
        if number == 0:
            turns.receive(request("c", "third", 3))
    expect(
        seen == [["a", "b", 2], ["a", "b", "c", 3], ["a", "b", "c", 3], ["c", 1]],
        "whoever asks for little should not wait until all those who asked for much are done",
        sent=sent,
        got=f"four turns, each the uids of its replies and its number of passes: {seen}",
        expected="a b, then a b c twice, then c; as many passes as replies",
    )


def test_each_answer_is_its_own(new):
    """What a request gets in turns with others is what it gets alone."""
    asked = [("1", "short", {}), ("2", "long", {}), ("3", "half", {}), ("4", "stop", {})]
    asked += [("5", "long", {"max_tokens": 2}), ("6", "stop", {"stop": ("wo t",)})]
    wanted = {
        "1": ("S1", 2, "stop"),
        "2": ("L1 L2 L3 L4", 5, "stop"),
        "3": ("日", 3, "stop"),
        "4": ("one two three", 4, "stop"),
        "5": ("L1 L2", 2, "length"),
        "6": ("one t", 3, "stop"),
    }
    turns = new(ScriptedCore(SAYS))
    for uid, text, options in asked:
        turns.receive(request(uid, text, **options))
    with case("six requests in turns"):
        played = run(turns)
    for uid, text, options in asked:
        replies = of(uid, played)
        got = "".join(r.text for r in replies), sum(r.tokens for r in replies)
        reasons = [r.finish_reason for r in replies if r.last]
        expect(
            (*got, *reasons) == wanted[uid],
            "an answer that depends on who else is asking is nobody's answer",
            sent=f"{text} {options or ''}, beside five others",
            got=f"text, tokens and finish reasons: {(*got, *reasons)}",
            expected=str(wanted[uid]),
        )


def test_the_text_decoder_is_yours_to_choose(new):
    """Every request gets a decoder of its own, made by `new_text`."""
    turns = new(ScriptedCore(SAYS), Speaking)
    turns.receive(request("1", "long"))
    turns.receive(request("2", "stop"))
    played = run(turns)
    got = [[reply.text for reply in of(uid, played)] for uid in "12"]
    expect(
        got == [["L1", " L2", " L3", " L4", ""], ["one", " two", " three", ""]],
        "chapter 4 streams by passing another decoder to these same turns",
        sent="two requests, with a new_text whose decoder says each token's text at once",
        got=f"texts of their replies: {got}",
        expected="L1, L2, L3, L4 and nothing more; one, two, three and nothing more",
    )


def test_a_failure_is_its_own(new):
    """One whose step raises ends with an error; the others lose nothing."""
    turns = new(ScriptedCore(SAYS))
    for uid, text in (("1", "long"), ("2", "bug"), ("3", "typo"), ("4", "long")):
        turns.receive(request(uid, text))
    sent = "four requests; the second's second step raises RuntimeError, the third's first KeyError"
    with case(sent, expected="no exception: it becomes a reply"):
        played = run(turns)
    for uid in "23":
        errors = [reply.error for reply in of(uid, played) if reply.error is not None]
        expect(
            len(errors) == 1
            and isinstance(errors[0], Failure)
            and errors[0].kind == "server_error"
            and of(uid, played)[-1].error is errors[0],
            "its client waits until it is told, and should be told once that we are to blame",
            sent=sent,
            got=f"replies of {uid}: {of(uid, played)}",
            expected='one last reply, whose error is Failure("server_error", …)',
        )
    for uid in "14":
        text = "".join(reply.text for reply in of(uid, played))
        expect(
            (text, len(of(uid, played))) == ("L1 L2 L3 L4", 5),
            "somebody else's bad luck must cost others nothing, not even one token",
            sent=sent,
            got=f"replies of {uid}: {of(uid, played)}",
            expected="five replies, L1 L2 L3 L4 in all",
        )


def test_a_refusal_is_a_reply(new):
    """A request that does not fit ends with an error in the next turn, also if it is alone."""
    core = ScriptedCore(SAYS, max_context=30)
    turns = new(core)
    for uid, text, reason in (
        ("1", "x" * 99, "a prompt of 99 tokens where 30 fit"),
        ("2", "", "an empty prompt"),
    ):
        with case(reason, expected="`receive` raises nothing"):
            turns.receive(request(uid, text))
        expect(
            turns.busy,
            "the worker sleeps while nothing is to be done: this client would wait for ever",
            sent=f"{reason}, and nothing else",
            got="busy is False",
            expected="True: the refusal is still to be said",
        )
        played = run(turns)
        error = of(uid, played)[0].error if of(uid, played) else None
        expect(
            len(of(uid, played)) == 1
            and getattr(error, "kind", None) == "invalid_request"
            and len(str(error.message)) > 5
            and core.forwards == 0,
            "the client can mend its request, if somebody says what is wrong with it",
            sent=reason,
            got=f"{of(uid, played)}, {core.forwards} passes",
            expected='one reply, whose error is Failure("invalid_request", …); no pass',
        )
    turns.receive(request("3", "short"))
    turns.receive(request("4", "x" * 99))
    played = run(turns)
    expect(
        [reply.last for reply in of("3", played)] == [False, True] and len(of("4", played)) == 1,
        "a refusal is no reason to let others wait, nor to say it again",
        sent="a good request and one that does not fit",
        got=played,
        expected="both replies of the first, one of the second",
    )


def test_busy(new):
    """`busy` says whether a turn has something to do, of these turns and of no others."""
    core = ScriptedCore(SAYS)
    turns, others = new(core), new(core)
    seen = [turns.busy]
    turns.receive(request("1", "short"))
    seen += [turns.busy, others.busy]
    turns.turn()
    seen.append(turns.busy)
    turns.turn()
    seen.append(turns.busy)
    expect(
        [bool(busy) for busy in seen] == [False, True, False, True, False],
        "the worker sleeps by it: wrong one way it spins, wrong the other way it oversleeps",
        sent="one request of two tokens, to one of two Turns",
        got=f"at first, taken up, the other Turns, after a token, after the last: {seen}",
        expected="False, True, False, True, False",
    )


def test_ended_ones_hold_nothing(new):
    """Whoever has had its last reply is closed, and its memory is free."""

    class Stumbling(Speaking):
        """Cannot make text of the second token."""

        def push(self, token):
            if self.ids:
                raise UnicodeError("no such character")
            return super().push(token)

    for decoder, how in ((WholeText, "answered"), (Stumbling, "failed: its text decoder raised")):
        core = Keeping(SAYS)
        turns = new(core, decoder)
        turns.receive(request("1", "long"))
        turns.receive(request("2", "long", 3))
        with case(f"two requests, {how}"):
            run(turns)
        expect(
            core.kv_tokens == 0,
            "memory that an ended request keeps is missing for the next; soon nobody fits",
            sent=f"two requests, both {how}",
            got=f"keys and values of {core.kv_tokens} tokens are still held",
            expected="none: its generation is closed",
        )


def test_drop(new):
    """`drop` ends a request without a word; one that is not there is dropped already."""
    core = Keeping(SAYS)
    turns = new(core)
    for uid in "123":
        turns.receive(request(uid, "long"))
    turns.turn()
    held = core.kv_tokens
    with case("drop of a running request, then of the same again, then of an unknown one"):
        turns.drop("2")
        after = core.kv_tokens
        turns.drop("2")
        turns.drop("never heard of")
    expect(
        0 < after < held,
        "dropping is how memory comes back: chapter 5 does it when a client has left",
        sent="three running requests, one of them dropped",
        got=f"keys and values of {held} tokens before, of {after} after",
        expected="a third less, at once and not when garbage is collected",
    )
    played = run(turns)
    expect(
        of("2", played) == [] and len(of("1", played)) == len(of("3", played)) == 4,
        "the dropped one must not cost another pass, and the others must not notice",
        sent="three running requests, one of them dropped",
        got=played,
        expected="nothing more of the dropped one, all of the others",
    )


def test_an_abort_is_ignored(new):
    """An Abort raises nothing and changes nothing yet."""
    turns = new(ScriptedCore(SAYS))
    turns.receive(request("1", "long"))
    with case("Abort, of a running request and of an unknown one", expected="no exception"):
        turns.receive(Abort("1"))
        turns.receive(Abort("2"))
    played = run(turns)
    expect(
        len(of("1", played)) == 5 and of("2", played) == [],
        "a message that is not understood must not be taken for another",
        sent="a request and two Aborts",
        got=played,
        expected="the request's five replies: aborting begins in chapter 5",
    )
