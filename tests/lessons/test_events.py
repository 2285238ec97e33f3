"""A streamed response, taken apart: values in, values out."""

import json

import pytest

from chapters.lessons.asking import Answer, Read
from chapters.lessons.events import broken_cuts, in_utf8, told, unchunked
from chapters.lessons.rows import ALPHABET, pushed, token_bytes

HEAD = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
CHUNK = {"choices": [{"index": 0, "delta": {"content": "日"}, "finish_reason": None}]}
EVENTS = [json.dumps(CHUNK), json.dumps({"choices": [{"text": "b"}]}), "[DONE]"]
BODY = "".join(f"data: {data}\n\n" for data in EVENTS).encode()


def framed(body, size):
    """The body in HTTP chunks of this size."""
    pieces = [body[at : at + size] for at in range(0, len(body), size)]
    return HEAD + b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in [*pieces, b""])


@pytest.mark.parametrize("size", [1, 7, 40, 1000])
def test_the_body_and_where_it_stands(size):
    raw = framed(BODY, size)
    body, where = unchunked(raw)
    assert body == BODY
    assert bytes(raw[at] for at in where) == BODY


@pytest.mark.parametrize("size", [1, 7, 40, 1000])
def test_an_event_is_there_when_its_last_byte_is(size):
    raw = framed(BODY, size)
    answer = Answer(0.0, [Read(float(n), raw[n : n + 1]) for n in range(len(raw))])
    events = told(answer)
    assert [event.data for event in events] == EVENTS
    assert [event.text for event in events] == ["日", "b", ""]
    for event in events:
        assert raw[: event.end].endswith(b"\n")
        assert event.time == event.end - 1


def test_a_stream_that_was_cut_has_the_events_that_came():
    raw = framed(BODY, 7)[:-30]
    assert [e.text for e in told(Answer(0.0, [Read(0.0, raw)]))] == ["日", "b"]


def test_in_utf8_nothing_but_the_writing_changes():
    assert b"\\u65e5" in BODY and b"\\u65e5" not in in_utf8(BODY)
    lines = [json.loads(line[6:]) for line in in_utf8(BODY).splitlines() if b"{" in line]
    assert lines == list(map(json.loads, EVENTS[:-1]))


def test_cuts_that_break_a_client():
    def first_read_only(reads):
        return reads[0].decode()

    def raises(reads):
        raise ValueError

    assert broken_cuts(lambda reads: b"".join(reads).decode(), b"abc", "abc") == []
    assert broken_cuts(first_read_only, b"abc", "ab") == [1]
    assert broken_cuts(raises, b"abc", "abc") == [1, 2]


def test_the_alphabet_of_byte_level_tokenizers():
    class Tokenizer:
        def id_to_token(self, token):
            return ["Ġhi", "æĹ", "¥"][token]

    assert sorted(ALPHABET.values()) == list(range(256))
    assert [token_bytes(Tokenizer(), n) for n in range(3)] == [b" hi", b"\xe6\x97", b"\xa5"]


def test_what_each_token_lets_out():
    class Decoder:
        def push(self, token):
            return "" if token == 0 else "x"

        def flush(self):
            return "!"

    assert pushed(Decoder(), [1, 0, 1]) == ["x", "", "x!"]
