"""Task 1.3: collect, usage, answer_body."""

import json
import sys
import time

import pytest

from chapters.core import CHAT, TEXT, Reply
from chapters.course.checking import case, expect, provided, show

ANSWERS = "chapters.ch01_http.answers"
ITERATOR = "an iterator, which gives each reply once and is empty after that,"
# The second token is half a character: it gave no text and cost a pass all the same.
REPLIES = [
    Reply("7", " Hel", 1),
    Reply("7", "", 1),
    Reply("7", "lo ", 1),
    Reply("7", "\n", 1, "stop"),
]


@pytest.fixture
def collect():
    """collect(replies, prompt_tokens), which must give something with a Completion's fields."""
    function = provided(ANSWERS, "collect")

    def call(replies, prompt_tokens):
        sent = f"{ITERATOR} over {[(r.text, r.tokens, r.finish_reason) for r in replies]}"
        sent += " (text, tokens, finish_reason)"
        with case(sent):
            got = function(iter(replies), prompt_tokens)
        fields = ("text", "finish_reason", "prompt_tokens", "completion_tokens")
        expect(
            all(hasattr(got, name) for name in fields),
            "answer_body reads these fields",
            sent=sent,
            got="None: is a `return` missing?" if got is None else got,
            expected=f"a Completion, with {', '.join(fields)}",
        )
        return got

    return call


@pytest.fixture
def answer():
    """answer(endpoint, uid, **fields): what answer_body gives for a Completion; it must be JSON."""
    function, completion = provided(ANSWERS, "answer_body"), provided(ANSWERS, "Completion")

    def call(endpoint, uid="7", text="Hello"):
        with case(f"a Completion with text {text!r}, 'length', 11 prompt tokens and 5 others"):
            done = completion(
                text=text, finish_reason="length", prompt_tokens=11, completion_tokens=5
            )
            got = function(endpoint, uid, "tiny", done)
        expect(
            isinstance(got, dict),
            "it becomes JSON",
            got="None: is a `return` missing?" if got is None else got,
            expected="a dict",
        )
        with case(f"json.dumps of {show(got)}", expected="JSON, which is what the client gets"):
            json.dumps(got)
        return got

    return call


def chat(text="Hello") -> dict:
    return {
        "id": "chatcmpl-7",
        "object": "chat.completion",
        "model": "tiny",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "length",
                "logprobs": None,
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
    }


def completion(text="Hello") -> dict:
    choice = {"index": 0, "text": text, "finish_reason": "length", "logprobs": None}
    return chat() | {"id": "cmpl-7", "object": "text_completion", "choices": [choice]}


def test_text(collect):
    """The pieces of text are joined as they are."""
    got = collect(REPLIES, 5).text
    expect(
        got == " Hello \n",
        "spaces and line ends are part of what the model said: code and lists depend on them",
        sent=f"{ITERATOR} over replies with the texts {[r.text for r in REPLIES]}",
        got=show(got),
        expected=repr(" Hello \n"),
    )


def test_usage_counts_tokens(collect):
    """Tokens are counted: a reply may have cost one and give no text, or have cost none."""
    replies = [
        Reply("7", "a", 1),
        Reply("7", "", 3),
        Reply("7", "b", 0),
        Reply("7", "c", 1, "stop"),
    ]
    got = collect(replies, 11)
    expect(
        (got.prompt_tokens, got.completion_tokens) == (11, 5),
        "users pay by the token, and a token is neither a reply nor a word nor a character",
        sent=f"a prompt of 11 tokens; {ITERATOR} over replies that cost 1, 3, 0 and 1 tokens",
        got=f"prompt_tokens {show(got.prompt_tokens)}, "
        f"completion_tokens {show(got.completion_tokens)}",
        expected="prompt_tokens 11, completion_tokens 5",
    )


def test_finish_reason(collect):
    """The finish reason is the last reply's."""
    for reason in ("length", "stop"):
        got = collect([*REPLIES[:3], Reply("7", "", 1, reason)], 5).finish_reason
        expect(
            got == reason,
            "'length' is how a client learns that the answer was cut off and must be continued",
            sent=f"{ITERATOR} over replies whose last one has finish_reason {reason!r}",
            got=show(got),
            expected=repr(reason),
        )


def test_usage():
    """`usage` gives both counts and their sum."""
    usage = provided(ANSWERS, "usage")
    for prompt, answer in ((11, 5), (1, 0)):
        wanted = {
            "prompt_tokens": prompt,
            "completion_tokens": answer,
            "total_tokens": prompt + answer,
        }
        with case(f"usage({prompt}, {answer})", expected=wanted):
            got = usage(prompt, answer)
        expect(
            got == wanted,
            "streamed answers of chapter 4 take their usage from this function",
            sent=f"usage({prompt}, {answer})",
            got=got,
            expected=wanted,
        )


def test_chat_answer(answer):
    """A chat answer has OpenAI's shape."""
    _compare(answer(CHAT), chat(), "an answer for CHAT, '/v1/chat/completions'")


def test_text_answer(answer):
    """A completion's answer has OpenAI's other shape."""
    _compare(answer(TEXT), completion(), "an answer for TEXT, '/v1/completions'")


def test_empty_answer(answer):
    """An answer without any text holds an empty string."""
    why = "clients work with the text, as in `content.strip()`: without one it is empty, not null"
    for endpoint, wanted in ((CHAT, chat("")), (TEXT, completion(""))):
        sent = f"an answer for {endpoint.path}, to a request whose text is ''"
        _compare(answer(endpoint, text=""), wanted, sent, why)


def test_two_answers(answer):
    """An answer stays what it is when the next one is made."""
    first = answer(CHAT)
    answer(CHAT, uid="8", text="another")
    sent = "an answer with the id 7; then another one with the id 8; then a look at the first"
    why = "two requests may be answered at once: an object that both share tells one the other's"
    _compare(first, chat(), sent, why)


def test_created(monkeypatch):
    """`created` is the present time, in whole seconds since 1970."""
    clock, late = time.time, 100_000
    monkeypatch.setattr(time, "time", lambda: clock() - late)
    sys.modules.pop(ANSWERS, None)  # imported anew, while the clock is late
    answer_body, completion = provided(ANSWERS, "answer_body"), provided(ANSWERS, "Completion")
    late = 0
    done = completion(text="Hello", finish_reason="stop", prompt_tokens=1, completion_tokens=1)
    with case("answer_body, a day after its module was imported"):
        before = clock()
        got = answer_body(CHAT, "7", "tiny", done)
        created = got["created"]
    off = f", which is {created - before:+.0f} s from now" if type(created) is int else ""
    expect(
        type(created) is int and before - 1 <= created <= clock() + 1,
        "clients read it as an integer, and sort by it",
        sent="answer_body, a day after its module was imported, away from UTC",
        got=f"{show(created)}{off}",
        expected=f"an int, seconds since 1970 in UTC: {before:.0f}",
    )


def _compare(
    got: dict,
    wanted: dict,
    sent: str,
    why: str = "clients look for exactly this field and stop working without it",
    place: str = "",
) -> None:
    """Each wanted field is there with its value; names the first that is not."""
    for name, value in wanted.items():
        if name == "choices" and isinstance(got.get(name), list) and len(got[name]) == 1:
            inner = got[name][0]
            expect(isinstance(inner, dict), "clients look for fields in it", sent=sent, got=inner)
            _compare(inner, value[0], sent, why, "choices[0].")
            continue
        expect(
            name in got and got[name] == value,
            why,
            sent=sent,
            got=f"{place}{name}: {show(got[name])}" if name in got else f"no {place}{name}",
            expected=f"{place}{name}: {value!r}",
        )
