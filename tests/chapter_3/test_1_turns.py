"""Task 3.1: Turns."""

from contextlib import closing

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


class Hiccup(Speaking):
    """Cannot make text of the second token, once; asked again it goes on."""

    stumbled = False

    def push(self, token):
        if self.ids and not self.stumbled:
            self.stumbled = True
            raise UnicodeError("no such character")
        return super().push(token)


class Ending(ScriptedCore):
    """Its tokens just end after the second one, without an end token."""

    def generate(self, prompt, sampling, *, uid=None):
        return self._two(super().generate(prompt, sampling, uid=uid))

    def _two(self, tokens):
        with closing(tokens):
            yield next(tokens)
            yield next(tokens)


class Broken(ScriptedCore):
    """Fails before there is anything to step."""

    def generate(self, prompt, sampling, *, uid=None):
        raise RuntimeError("CUDA error: device lost")


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


def in_words(failure, sent: str) -> None:
    """A failure's message is text: an exception may not travel."""
    expect(
        isinstance(failure.message, str),
        "a client is sent words; and an exception keeps what it has seen, a KV cache, alive",
        sent=sent,
        got=f"a Failure whose message is a {type(failure.message).__name__}",
        expected="a str: no message to the HTTP side holds an exception",
    )


@pytest.fixture
def new():
    """new(core, …): the student's Turns."""
    return provided("chapters.ch03_queues.turns", "Turns")


def test_one_token_each_turn(new):
    """A turn is one token for each running request, in the order in which they came."""
    core = ScriptedCore()
    turns, seen = new(core), []
    sent = "m and z; after a turn also a; they may have 4, 3 and 2 tokens"
    turns.receive(request("m", "the first one", 4))
    turns.receive(request("z", "second", 3))
    expect(core.forwards == 0, "taking up is not computing", got=f"{core.forwards} passes")
    for number in range(4):
        before = core.forwards
        with case(sent):
            replies = turns.turn()
        seen.append([*(reply.uid for reply in replies), core.forwards - before])
        if number == 0:
            turns.receive(request("a", "third", 2))
    expect(
        seen == [["m", "z", 2], ["m", "z", "a", 3], ["m", "z", "a", 3], ["m", 1]],
        "whoever asks for little should not wait until all those who asked for much are done",
        sent=sent,
        got=f"four turns, each the uids of its replies and its number of passes: {seen}",
        expected="m z, then m z a twice, then m: in the order in which they came, whatever "
        "they are called or ask for; as many passes as replies",
    )
    many = [str(number) for number in range(70)]
    for uid in many:
        turns.receive(request(uid, "one of many", 2))
    with case("70 requests at once"):
        uids = [reply.uid for reply in turns.turn()]
    expect(
        uids == many,
        "one that has been taken up and gets no turn waits, and nothing says for how long",
        sent="70 requests at once, then one turn",
        got=f"replies of {len(set(uids))} of them",
        expected="one of each: a turn is a step of every running request",
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
    failed = [(sent, uid, of(uid, played)) for uid in "23"]
    for core, decoder, how in (
        (ScriptedCore(SAYS), Hiccup, "its text decoder raises once, for the second token"),
        (Ending(SAYS), WholeText, "its tokens just end, so that the third step raises"),
    ):
        others = new(core, decoder)
        others.receive(request("5", "long"))
        with case(f"a request; {how}", expected="no exception: it becomes a reply"):
            failed.append((f"a request; {how}", "5", of("5", run(others))))
    for about, uid, replies in failed:
        errors = [reply.error for reply in replies if reply.error is not None]
        expect(
            len(errors) == 1
            and isinstance(errors[0], Failure)
            and errors[0].kind == "server_error"
            and replies[-1].error is errors[0],
            "its client waits until it is told, and should be told once that we are to blame",
            sent=about,
            got=f"replies of {uid}: {replies}",
            expected='one last reply, whose error is Failure("server_error", …), whatever was '
            "raised: a step is not tried again, and StopIteration is an Exception too",
        )
        in_words(errors[0], about)
        expect(
            replies[-1].finish_reason is None,
            "whoever sees a finish reason takes half an answer for a whole one",
            sent=about,
            got=f"the last reply of {uid}: {replies[-1]}",
            expected="an error instead of a finish reason",
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
        in_words(error, reason)
    turns.receive(request("3", "short"))
    for uid in "456":
        turns.receive(request(uid, "x" * 99))
    others = new(core)
    expect(
        not others.busy,
        "what one worker has to say is not for another one to say",
        sent="three requests that do not fit, to one of two Turns",
        got="the other one is busy",
        expected="busy False",
    )
    played = run(turns)
    expect(
        [reply.last for reply in of("3", played)] == [False, True]
        and all(len(of(uid, played)) == 1 for uid in "456"),
        "a refusal is no reason to let others wait, nor to say it again",
        sent="a good request and three that do not fit",
        got=played,
        expected="both replies of the first, one of each of the others",
    )
    told = sorted(reply.uid for reply in played[0] if reply.error)
    expect(
        told == ["4", "5", "6"],
        "a refusal costs nothing to say, and waiting behind a long answer for it costs minutes",
        sent="a good request and three that do not fit, then one turn",
        got=f"that turn refuses {told}",
        expected="['4', '5', '6']: the next turn says so, to each of them",
    )


def test_a_bug_is_no_refusal(new):
    """What is raised besides ValueError while a request is taken up is not the client's fault."""
    turns = new(Broken())
    sent = "a good request; Generation(…) raises RuntimeError: CUDA error: device lost"
    try:
        turns.receive(request("1", "short"))
    except Exception:
        return  # the worker makes a reply of it
    with case(sent):
        replies = of("1", run(turns))
    kinds = [reply.error and reply.error.kind for reply in replies]
    expect(
        kinds == ["server_error"],
        "a client that is told to mend its request tries for ever, and nobody mends the server",
        sent=sent,
        got=f"`receive` raised nothing, and the replies are {replies}",
        expected="the exception passes through; the given worker makes a server_error of it",
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
