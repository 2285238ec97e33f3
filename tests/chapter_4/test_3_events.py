"""Task 4.3: event, opening, of_reply and closing: replies as server-sent events."""

import json
from importlib import import_module
from types import SimpleNamespace

import pytest

from chapters.core import CHAT, TEXT, CheckedRequest, Failure, Reply, Sampling
from chapters.course.checking import case, expect, fail, provided

EVENTS = "chapters.ch04_streaming.events"
TROUBLE = Failure("server_error", "the model has caught fire")


@pytest.fixture
def task():
    """The student's functions by their names, and `chunks(endpoint, **options)`, given."""
    names = ("event", "opening", "of_reply", "closing")
    given = import_module("chapters.ch04_streaming.chunks").Chunks

    def chunks(endpoint=CHAT, **options):
        checked = CheckedRequest("x", Sampling(), stream=True, **options)
        return given(endpoint, "u1", "tiny", checked, prompt_tokens=5)

    return SimpleNamespace(**{name: provided(EVENTS, name) for name in names}, chunks=chunks)


def data_of(raw) -> list:
    """The data of these events: objects, and "[DONE]" as it is."""
    expect(
        isinstance(raw, bytes),
        "it is sent as it is: nobody turns text into bytes for you on its way out",
        got=f"{type(raw).__name__}: {raw!r}",
        expected="bytes",
    )
    expect(
        raw == b"" or raw.endswith((b"\n\n", b"\r\n\r\n")),
        "a line is not yet an event: only an empty line ends it, and a client that waits for that "
        "line shows nothing",
        got=raw,
        expected="at the very end the line's own end and an empty line: b'data: …\\n\\n'",
    )
    found = []
    for block in raw.replace(b"\r\n", b"\n").split(b"\n\n")[:-1]:
        data = block.removeprefix(b"data:").removeprefix(b" ")
        expect(
            block.startswith(b"data:") and b"\n" not in block and b"\r" not in block,
            "a client reads line by line; whatever does not begin with `data:` is lost to it",
            got=block,
            expected="one line: data: …",
        )
        try:
            found.append("[DONE]" if data == b"[DONE]" else json.loads(data))
        except ValueError:
            fail(
                "every client parses it as JSON; Python's own way to write a dict is none",
                got=block,
                expected="data: and JSON",
            )
    return found


def stream(task, chunks, *replies) -> list:
    """The data of a whole stream of these replies."""
    with case(f"the replies {list(replies)}"):
        raw = task.opening(chunks) + b"".join([task.of_reply(chunks, r) for r in replies])
        return data_of(raw + task.closing(chunks, replies[-1]))


def said(chunk) -> tuple:
    """What a chunk says: (delta or text, finish reason)."""
    if chunk == "[DONE]" or not chunk.get("choices"):
        return (chunk, None)
    choice = chunk["choices"][0]
    return choice.get("delta", choice.get("text")), choice["finish_reason"]


def test_event(task):
    """An event is one line of JSON after `data: `, and an empty line."""
    sent = {"a": [1, None, True], "text": 'if a:\n    he  said "no"', "usage": None}
    with case(sent):
        raw = task.event(dict(sent))
    expect(
        data_of(raw) == [sent] and raw.startswith(b"data: "),
        "what the caller gives is what the client gets: nothing is added to it, left out or tidied",
        sent=sent,
        got=raw,
        expected="b'data: {\"a\": …}\\n\\n', whose JSON is what was sent",
    )


def test_line_ends_in_the_text(task):
    """Text with line ends of any kind, and in any language, stays on one line of ASCII."""
    text = "one\ntwo\r\nthree\u2028four\u2029five\u0085six 日本 🙂"
    with case({"text": text}):
        raw = task.event({"text": text})
    expect(
        data_of(raw) == [{"text": text}],
        "the text must come back out just as it went in",
        sent=text,
        got=raw,
        expected="an event whose JSON holds the same text",
    )
    expect(
        raw.isascii() and len(raw.splitlines()) == 2,
        "some clients take U+2028 for the end of a line, and find half an object before it",
        sent=text,
        got=raw,
        expected="ASCII only: JSON writes other characters as \\u2028 and the like",
    )


def test_opening(task):
    """A chat begins with the role; a plain completion begins with its text."""
    with case("opening, for CHAT", expected="one chunk with the role"):
        found = [said(chunk) for chunk in data_of(task.opening(task.chunks()))]
    expect(
        found == [({"role": "assistant", "content": ""}, None)],
        "clients make a message out of the deltas, and its role comes from the first",
        got=found,
        expected='one chunk, delta {"role": "assistant", "content": ""}',
    )
    with case("opening, for TEXT", expected="b''"):
        raw = task.opening(task.chunks(TEXT))
    expect(
        raw == b"",
        "a completion has no role: a first chunk without text says nothing",
        got=raw,
        expected="b''",
    )


def test_a_reply_with_text(task):
    """A reply with text is one chunk, and its tokens are counted; one without is no chunk."""
    for endpoint, wanted in ((CHAT, {"content": " wor\nld"}), (TEXT, " wor\nld")):
        chunks = task.chunks(endpoint)
        with case("Reply(text=' wor\\nld', tokens=1), then Reply(text='', tokens=1)"):
            first = data_of(task.of_reply(chunks, Reply("u1", " wor\nld", 1)))
            second = data_of(task.of_reply(chunks, Reply("u1", "", 1)))
            third = data_of(task.of_reply(chunks, Reply("u1", "\n", 3)))
        expect(
            [said(chunk) for chunk in first] == [(wanted, None)],
            "clients join these texts; a space that is gone here is gone from the answer",
            sent="Reply(text=' wor\\nld', tokens=1)",
            got=first,
            expected=f"one chunk that says {wanted!r}, with finish_reason null",
        )
        expect(
            second == [],
            "half a character is a token without text: there is nothing to tell yet",
            sent="Reply(text='', tokens=1)",
            got=second,
            expected="no event: b''",
        )
        blank = {"content": "\n"} if endpoint is CHAT else "\n"
        expect(
            [said(chunk) for chunk in third] == [(blank, None)],
            "white space is text: without its line ends, a poem or a program is something else",
            sent="Reply(text='\\n', tokens=3)",
            got=third,
            expected=f"one chunk that says {blank!r}",
        )
        expect(
            chunks.tokens == 5,
            "a token without text has cost as much as any other, and one reply may bring several: "
            "usage counts tokens, neither texts nor replies",
            sent="a reply with text and one without, a token each, and one of three tokens",
            got=f"chunks.tokens is {chunks.tokens}",
            expected="5",
        )


def test_the_last_reply(task):
    """The last reply's text comes first, then a chunk that has only the finish reason."""
    for endpoint, text, nothing in ((CHAT, {"content": "!"}, {}), (TEXT, "!", "")):
        for reason in ("stop", "length"):
            with case(f"Reply(text='!', finish_reason={reason!r})"):
                raw = task.of_reply(task.chunks(endpoint), Reply("u1", "!", 1, reason))
            found = [said(chunk) for chunk in data_of(raw)]
            expect(
                found == [(text, None), (nothing, reason)],
                "a client must hear why it ended: 'length' means that there would be more",
                sent=f"Reply(text='!', finish_reason={reason!r}), {endpoint.object}",
                got=found,
                expected=f"{[(text, None), (nothing, reason)]}",
            )
    chunks = task.chunks()
    with case("Reply(text='', tokens=1, finish_reason='stop')"):
        raw = task.of_reply(chunks, Reply("u1", "", 1, "stop"))
    found = [said(chunk) for chunk in data_of(raw)]
    expect(
        found == [({}, "stop")],
        "the end token has no text: a chunk for it would be empty",
        sent="Reply(text='', tokens=1, finish_reason='stop')",
        got=found,
        expected="only the chunk with the reason",
    )
    expect(
        chunks.tokens == 1,
        "the end token was computed as well: streamed or not, the same answer has the same usage",
        sent="Reply(text='', tokens=1, finish_reason='stop')",
        got=f"chunks.tokens is {chunks.tokens}",
        expected="1",
    )


def test_usage(task):
    """The true usage comes before [DONE], if it was asked for; else there is none."""
    replies = [Reply("u1", "Hel", 1), Reply("u1", "", 1), Reply("u1", "lo", 1, "length")]
    wanted = {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 8}
    for endpoint, continuous in ((CHAT, False), (TEXT, False), (CHAT, True)):
        options = {"include_usage": True, "continuous_usage": continuous}
        asked = stream(task, task.chunks(endpoint, **options), *replies)
        expect(
            asked[-1] == "[DONE]"
            and asked[-2].get("usage") == wanted
            and asked[-2]["choices"] == [],
            "users pay by it, and some clients know the length of an answer only from here: "
            "whoever asked gets it, at both endpoints, and also after counts in each chunk",
            sent=f"{endpoint.object}, {options}, a prompt of 5 tokens, three replies of a token "
            "each, one of them ''",
            got=asked[-2:],
            expected=f"a chunk without choices and with usage {wanted}, then [DONE]",
        )
    ended = [*replies[:2], Reply("u1", "", 1, "stop")]
    asked = stream(task, task.chunks(include_usage=True), *ended)
    expect(
        asked[-2].get("usage") == wanted,
        "the end token was computed like every other, and the answer without streaming counts it",
        sent="include_usage, a prompt of 5 tokens, three replies of a token each; the last has no "
        "text, and the finish reason 'stop'",
        got=asked[-2:],
        expected=f"a chunk with usage {wanted}, then [DONE]",
    )
    silent = stream(task, task.chunks(), *replies)
    expect(
        silent[-1] == "[DONE]" and not any(chunk.get("usage") for chunk in silent[:-1]),
        "a chunk without choices surprises clients that did not ask for it",
        sent="the same, without include_usage",
        got=silent[-2:],
        expected="the chunk with the finish reason, then [DONE]",
    )


def test_usage_so_far(task):
    """Where each chunk carries the counts so far, they include its own reply's tokens."""
    replies = [Reply("u1", "Hel", 1), Reply("u1", "", 1), Reply("u1", "lo", 1, "stop")]
    found = stream(task, task.chunks(continuous_usage=True), *replies)
    counts = [chunk["usage"]["completion_tokens"] for chunk in found[:-1]]
    expect(
        counts == [0, 1, 3, 3],
        "whoever shows tokens per second reads them off here",
        sent="continuous usage; replies 'Hel', '' and 'lo' with the reason, a token each",
        got=f"completion_tokens {counts}",
        expected="0 with the role, 1 with 'Hel', 3 with 'lo' and with the reason",
    )


def test_a_failure_on_the_way(task):
    """A failure after text: an error event, then [DONE]; no finish reason and no usage."""
    invalid = Failure("invalid_request", "too long", "prompt")
    for endpoint, failure, kind in (
        (CHAT, TROUBLE, "server_error"),
        (CHAT, invalid, "invalid_request_error"),
        (TEXT, TROUBLE, "server_error"),
    ):
        opening = 1 if endpoint is CHAT else 0
        chunks = task.chunks(endpoint, include_usage=True)
        found = stream(task, chunks, Reply("u1", "Hel", 1), Reply("u1", "", 1, error=failure))
        shape = {"message": failure.message, "type": kind, "param": failure.param, "code": None}
        expect(
            found[opening + 1 :] == [{"error": shape}, "[DONE]"],
            "the status, 200, has left: without this event half an answer looks like a whole one, "
            "and without [DONE] some clients wait",
            sent=f"{endpoint.object}: 'Hel', then the error {failure.message!r}; include_usage",
            got=found[opening:],
            expected=f"'Hel', then {{\"error\": {shape}}}, then [DONE]",
        )
        expect(
            chunks.tokens == 2,
            "a token that was computed has cost something, also in a step that failed",
            sent="'Hel', a token; then an error, with a token as well",
            got=f"chunks.tokens is {chunks.tokens}",
            expected="2",
        )
    failed = Reply("u1", "lo", 1, error=TROUBLE)
    with case(failed):
        found = data_of(task.of_reply(task.chunks(), failed))
    expect(
        len(found) == 1 and "error" in found[0],
        "one event, the error, and nothing else: what a failed step has made is no answer",
        sent=failed,
        got=found,
        expected="only the event with the error",
    )
