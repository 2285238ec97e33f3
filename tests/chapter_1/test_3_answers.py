"""Task 1.3: collect, usage, answer_body."""

import time

import pytest

from chapters.core import CHAT, TEXT, Reply
from chapters.course.checking import case, expect, provided

ANSWERS = "chapters.ch01_http.answers"
# The second token is half a character: it gave no text and cost a pass all the same.
REPLIES = [
    Reply("7", " Hel", 1),
    Reply("7", "", 1),
    Reply("7", "lo ", 1),
    Reply("7", "\n", 1, "stop"),
]


@pytest.fixture
def collect():
    return provided(ANSWERS, "collect")


@pytest.fixture
def answer_body():
    return provided(ANSWERS, "answer_body")


@pytest.fixture
def done():
    return provided(ANSWERS, "Completion")("Hello", "length", 11, 5)


def test_text(collect):
    """The pieces of text are joined as they are."""
    with case("four replies, as an iterator: it can be walked over once"):
        got = collect(iter(REPLIES), 5).text
    expect(
        got == " Hello \n",
        "spaces and line ends are part of what the model said: code and lists depend on them",
        sent=f"replies with the texts {[r.text for r in REPLIES]}, as an iterator",
        got=repr(got),
        expected=repr(" Hello \n"),
    )


def test_usage_counts_tokens(collect):
    """Tokens are counted from the replies, also those that gave no text."""
    replies = [Reply("7", "a", 1), Reply("7", "", 2), Reply("7", "b", 1, "stop")]
    with case("three replies, as an iterator: it can be walked over once"):
        got = collect(iter(replies), 11)
    expect(
        (got.prompt_tokens, got.completion_tokens) == (11, 4),
        "users pay by the token, and a token is neither a reply nor a word nor a character",
        sent="a prompt of 11 tokens; replies that cost 1, 2 and 1 tokens",
        got=f"prompt_tokens {got.prompt_tokens}, completion_tokens {got.completion_tokens}",
        expected="prompt_tokens 11, completion_tokens 4",
    )


def test_finish_reason(collect):
    """The finish reason is the last reply's."""
    for reason in ("length", "stop"):
        got = collect([*REPLIES[:3], Reply("7", "", 1, reason)], 5).finish_reason
        expect(
            got == reason,
            "'length' is how a client learns that the answer was cut off and must be continued",
            sent=f"replies whose last one has finish_reason {reason!r}",
            got=got,
            expected=reason,
        )


def test_chat_answer(answer_body, done):
    """A chat answer has OpenAI's shape."""
    got = answer_body(CHAT, "7", "tiny", done)
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": "Hello"},
        "finish_reason": "length",
        "logprobs": None,
    }
    wanted = {
        "id": "chatcmpl-7",
        "object": "chat.completion",
        "model": "tiny",
        "choices": [choice],
        "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16},
    }
    _compare(got, wanted)


def test_text_answer(answer_body, done):
    """A completion's answer has OpenAI's other shape."""
    got = answer_body(TEXT, "7", "tiny", done)
    choice = {"index": 0, "text": "Hello", "finish_reason": "length", "logprobs": None}
    _compare(got, {"id": "cmpl-7", "object": "text_completion", "choices": [choice]})


def test_created(answer_body, done):
    """`created` is the present time, in whole seconds."""
    before = int(time.time())
    got = answer_body(CHAT, "7", "tiny", done).get("created")
    expect(
        type(got) is int and before <= got <= time.time(),
        "clients read it as an integer: OpenAI's own rejects or mangles a float",
        got=got,
        expected="an int, seconds since 1970",
    )


def _compare(got, wanted: dict) -> None:
    """Each wanted field is there with its value; names the first that is not."""
    expect(isinstance(got, dict), "it becomes JSON", got=got, expected="a dict")
    for name, value in wanted.items():
        if name == "choices" and isinstance(got.get(name), list) and len(got[name]) == 1:
            _compare(got[name][0], value[0])
            continue
        expect(
            got.get(name, "(missing)") == value,
            "clients look for exactly this field and stop working without it",
            got=f"{name}: {got.get(name, '(missing)')!r}",
            expected=f"{name}: {value!r}",
        )
