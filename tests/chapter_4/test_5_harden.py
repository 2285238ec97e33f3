"""Task 4.5: violations(events, whole), and the student's whole server under it."""

import importlib.util
import json
from pathlib import Path

import httpx
import pytest

from chapters.core import ScriptedCore
from chapters.course import graft
from chapters.course.checking import case, expect, fail, provided
from chapters.course.manifest import course
from chapters.course.real_server import running

_spec = importlib.util.spec_from_file_location("seeded", Path(__file__).parent / "seeded.py")
seeded = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(seeded)

CHAPTER = "chapters.ch04_streaming"
CHAT = "/v1/chat/completions"
SAYS = {
    "Hi": ["Hel", "lo", " wor", "ld"],
    "halves": ["a", b"\xe6", b"\x97", b"\xa5\xf0\x9f", b"\x99\x82", b"\xc3"],
    "stop": ["1 ", "<|", "en", "d", "|>", " 2"],
    "lines": ["one\u2028", "two\n", "\n", "three", " <"],
    "trouble": ["Hel", ValueError("out of memory")],
}
BODIES = [
    {"content": "Hi"},
    {"content": "Hi", "max_tokens": 3},
    {"content": "halves"},
    {"content": "stop", "stop": ["<|end|>"]},
    {"content": "lines", "stop": ["<|end|>"]},
]
TEXTS = ["Hello world", "Hello wor", "a日🙂\ufffd", "1 ", "one\u2028two\n\nthree <"]


@pytest.fixture
def judge():
    """judge(server): what the student's invariant says to each of a server's streams.

    A list of (the stream in short, what was said).
    """
    violations = provided(f"{CHAPTER}.harden", "violations")

    def run(server):
        found = []
        for answer in seeded.ANSWERS:
            events, whole = server(answer), seeded.whole(answer)
            stream = (
                f"{seeded.brief(events)}; the whole answer: {answer.text!r}, {answer.reason!r}, "
                f"{answer.usage['completion_tokens']} tokens"
            )
            with case(f"{server.__doc__} Shortened: {stream}", expected="a list of sentences"):
                said = violations(given := list(events), whole)
            expect(
                given == events and whole == seeded.whole(answer),
                "it only watches: whoever calls it still needs the stream and the answer",
                sent=stream,
                got=f"{len(given)} of {len(events)} events, or an answer, that it has changed",
                expected="both as they were given",
            )
            expect(
                isinstance(said, list) and all(isinstance(s, str) and s.strip() for s in said),
                "the caller shows each sentence to a person",
                sent=stream,
                got=repr(said),
                expected="a list of strings, none of them empty",
            )
            found.append((stream, said))
        return found

    return run


def tells_apart(judge, rights, wrongs, each=()) -> None:
    """The invariant accepts these right servers and rejects these wrong ones.

    each: wrong ones whose fault is seen in all of their streams, also in the one without text.
    """
    for server in rights:
        found = judge(server)
        rejected = [(stream, said) for stream, said in found if said]
        if rejected:
            stream, said = rejected[0]
            fail(
                "an alarm that rings for right servers is switched off, and then guards nothing",
                sent=f"right streams: {server.__doc__} One, shortened: {stream}",
                got=f"{len(rejected)} of {len(found)} right streams were rejected; this one got "
                f"{said}",
                expected="[] for each: they keep every promise",
            )
    for server in (*wrongs, *each):
        found = judge(server)
        missed = [stream for stream, said in found if not said]
        seen = [server(a) != seeded.right(a) for a in seeded.ANSWERS]
        shown = [stream for (stream, said), s in zip(found, seen, strict=True) if s and not said]
        expect(
            not missed if server in each else len(missed) < len(found),
            "faults like this one are seen by users first, unless something looks for them",
            sent=f"wrong streams: {server.__doc__} One, shortened: {(shown or [''])[0]}",
            got=f"[] for {len(missed)} of {len(found)} streams, among them this one",
            expected="at least one sentence"
            + (" for each of them: the fault is in all" if server in each else ""),
        )


def test_accepts_other_cuts(judge):
    """Right streams are accepted in one chunk or in a hundred; text that is lost is rejected."""
    rights = [seeded.right, seeded.right_in_one_chunk, seeded.right_letter_by_letter]
    tells_apart(judge, rights, [seeded.loses_the_last_piece])


def test_accepts_counts_so_far(judge):
    """Usage that is null, or counts what there was so far, is accepted; zeros are rejected."""
    rights = [seeded.right_with_usage, seeded.right_with_counts_so_far]
    tells_apart(judge, rights, [seeded.usage_of_zeros])


def test_the_end(judge):
    """A stream that has not exactly one [DONE], at its end, is rejected."""
    wrongs = [seeded.never_says_done, seeded.says_done_twice, seeded.goes_on_after_done]
    tells_apart(judge, [seeded.right], [], each=wrongs)


def test_id_and_role(judge):
    """Chunks with several ids, and a first delta without the role, are rejected."""
    wrongs = [seeded.a_new_id_for_each_chunk, seeded.another_id_in_the_middle]
    wrongs += [seeded.another_id_for_the_usage, seeded.another_role]
    wrongs += [seeded.never_names_the_role, seeded.names_the_role_last]
    rights = [seeded.right, seeded.right_letter_by_letter]
    tells_apart(judge, rights, [], each=wrongs)


def test_text(judge):
    """Text that is broken, doubled, in another order, or without its spaces is rejected."""
    wrongs = [seeded.strips_each_piece, seeded.decodes_each_token_alone]
    wrongs += [seeded.skips_a_repeated_piece, seeded.repeats_all_so_far, seeded.swaps_pieces]
    wrongs += [seeded.strips_the_first_piece, seeded.says_the_last_piece_twice]
    tells_apart(judge, [seeded.right], wrongs)


def test_finish_reason(judge):
    """A finish reason that is wrong, missing, doubled, or not after all text is rejected."""
    each = [seeded.never_says_why, seeded.says_why_twice, seeded.says_two_reasons]
    wrongs = [seeded.always_stops, seeded.always_at_its_limit]
    wrongs += [seeded.has_text_after_the_reason, seeded.has_text_long_after_the_reason]
    wrongs += [seeded.has_text_before_its_last_chunk]
    tells_apart(judge, [seeded.right, seeded.right_with_the_reason_in_the_last_text], wrongs, each)


def test_usage(judge):
    """Usage that is not the whole answer's is rejected, whichever of its counts is wrong."""
    wrongs = [seeded.forgets_the_prompt, seeded.swaps_the_counts]
    wrongs += [seeded.counts_one_too_many]
    wrongs += [seeded.usage_is_right_first, seeded.usage_is_right_at_last]
    rights = [seeded.right_with_usage, seeded.right]
    tells_apart(judge, rights, [seeded.counts_pieces], each=wrongs)


def body(content, **fields) -> dict:
    said = {"messages": [{"role": "user", "content": content}], "temperature": 0}
    return said | {"stream_options": {"include_usage": True}} | fields


def streamed(client, **fields) -> list[bytes]:
    """The reads of a stream, to its end."""
    with client.stream("POST", CHAT, json=body(**fields) | {"stream": True}) as answer:
        return list(answer.iter_raw())


def test_your_own_server():
    """All of your own files together: the first text leaves before the second token exists.

    Then several answers, streamed and not, are read by your own client and judged by your own
    invariant.
    """
    core = ScriptedCore(SAYS, gated=True)
    app = graft.build(course()[4], core)
    with running(app, core.open) as url, httpx.Client(base_url=url, timeout=10) as client:
        _first_text_first(client, core)
        for fields, wanted in zip(BODIES, TEXTS, strict=True):
            _the_same_either_way(client, fields, wanted)
        _failure(client)


def _first_text_first(client, core) -> None:
    """Lets one token be made, and the others once its text has arrived."""
    got = b""
    core.allow(1)
    try:
        with client.stream("POST", CHAT, json=body("Hi") | {"stream": True}) as answer:
            for read in answer.iter_raw():
                got += read
                if b"Hel" in got:
                    core.open()
    except httpx.TimeoutException:
        answer = None
    expect(
        answer is not None and b"Hel" in got,
        "the first word early is what streaming is for; the last comes no sooner",
        sent="'Hi', streamed, to a core that makes the token 'Hel' and waits before the next",
        got=f"no text, though its token is there; so far {got!r}",
        expected="an event with 'Hel', before there is a second token",
    )


def _the_same_either_way(client, fields: dict, wanted: str) -> None:
    """One answer, streamed and not, read and judged by the student's code."""
    read_answer = provided(f"{CHAPTER}.client", "read_answer")
    violations = provided(f"{CHAPTER}.harden", "violations")
    with case({**fields, "stream": True}, expected=wanted):
        whole = client.post(CHAT, json=body(**fields)).json()
        reads = streamed(client, **fields)
        text, text_whole = read_answer(iter(reads)), whole["choices"][0]["message"]["content"]
        parser = provided(f"{CHAPTER}.client", "EventParser")()
        events = [event for read in reads for event in parser.feed(read)]
        found = violations(events, whole)
    expect(
        (text, text_whole, found) == (wanted, wanted, []),
        "streamed or not, it must be the same answer, and your own client must be able to read it",
        sent=fields,
        got=f"{text!r} streamed, {text_whole!r} whole, violations {found}",
        expected=f"{wanted!r} both times, no violation",
    )
    counts = [json.loads(event).get("usage") for event in events if event != seeded.DONE]
    expect(
        whole["usage"] in counts,
        "whoever asked for the usage must get it, and the true one",
        sent={**fields, "stream_options": {"include_usage": True}},
        got=f"usage {counts}",
        expected=f"usage {whole['usage']} in a chunk",
    )


def _failure(client) -> None:
    """An exception in the middle of a stream reaches the student's client as an error."""
    reads = streamed(client, content="trouble")
    try:
        with case("'trouble', streamed: 'Hel', and then an exception in the core"):
            got = provided(f"{CHAPTER}.client", "read_answer")(iter(reads))
    except provided(f"{CHAPTER}.client", "StreamError") as error:
        got = error
    expect(
        isinstance(got, Exception) and "out of memory" in str(got),
        "half an answer must not look like a whole one",
        sent="'trouble', streamed: 'Hel', and then an exception in the core: out of memory",
        got=f"{got!r} from your client; the stream's end was {b''.join(reads)[-150:]!r}",
        expected="StreamError: … out of memory",
    )
