"""Task 1.2: parse_request(body, served, streaming=False)."""

import json

import pytest

from chapters.core import ApiError, CheckedRequest, Message, Sampling
from chapters.course.checking import case, expect, fail, provided

HI = {"messages": [{"role": "user", "content": "Hi"}]}


@pytest.fixture
def parse():
    function = provided("chapters.ch01_http.requests", "parse_request")

    def call(body, **options):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        with case(body):
            return function(raw, "tiny", **options)

    return call


def refusal(parse, body, **options) -> ApiError:
    """The ApiError for this body, which must be refused."""
    try:
        got = parse(body, **options)
    except ApiError as error:
        return error
    fail(
        "a request that cannot be honoured must be refused", sent=body, got=got, expected="ApiError"
    )


def told(error: ApiError) -> str:
    return f"ApiError {error.status}, param {error.param!r}: {error.message}"


def test_good_request(parse):
    """A good request becomes a checked one, with everything it said."""
    body = HI | {"model": "tiny", "max_tokens": 7, "temperature": 0.5, "seed": 3, "stop": "x"}
    got = parse(body)
    wanted = CheckedRequest(
        (Message("user", "Hi"),), Sampling(7, temperature=0.5, seed=3, stop=("x",))
    )
    expect(
        got == wanted,
        "a field that gets lost here is a wish of the client that nobody will honour",
        sent=body,
        got=got,
        expected=wanted,
    )


def test_no_json(parse):
    """Bytes that are no JSON object in UTF-8 are a 400."""
    for body in (b"", b"{", b'{"prompt": "\xff"}', b"[]", b"null", b"[" * 9000):
        error = refusal(parse, body)
        expect(
            error.status == 400 and error.param is None and error.message,
            "whoever debugs a client needs to hear that the body as a whole is wrong, not a field",
            sent=body,
            got=told(error),
            expected="ApiError 400 with param None and a sentence",
        )


def test_field_is_named(parse):
    """A field that is wrong is a 400 whose `param` names it, and whose message says why."""
    for field, value in (("temperature", 3), ("max_tokens", "7"), ("stop", [""]), ("n", 2)):
        error = refusal(parse, HI | {field: value})
        expect(
            error.status == 400 and (error.param or "").partition("[")[0] == field,
            "of twenty fields, the client must learn which one to mend",
            sent={field: value},
            got=told(error),
            expected=f"ApiError 400 with param {field!r}",
        )
        expect(
            field in error.message,
            "people read the message, programs the param: both must name the field",
            sent={field: value},
            got=told(error),
            expected=f"a message that names {field}",
        )


def test_nested_field_is_named(parse):
    """A fault inside the messages is named with its place."""
    error = refusal(parse, {"messages": [HI["messages"][0], {"role": "robot", "content": "x"}]})
    expect(
        error.status == 400 and error.param == "messages[1].role",
        "in a history of fifty messages, 'messages is wrong' helps nobody",
        sent="messages whose second one has the role robot",
        got=told(error),
        expected="ApiError 400 with param 'messages[1].role', as `explain` gives it",
    )


def test_unknown_model(parse):
    """Another model than the one served is a 404 that names the one served."""
    error = refusal(parse, HI | {"model": "gpt-9"})
    expect(
        (error.status, error.param, error.code) == (404, "model", "model_not_found"),
        "answering with another model than the one asked for would be a lie with status 200",
        sent={"model": "gpt-9"},
        got=f"{told(error)} (code {error.code!r})",
        expected="ApiError 404, param 'model', code 'model_not_found'",
    )
    expect(
        "tiny" in error.message,
        "the client should not have to look elsewhere for a name that works",
        got=told(error),
        expected="a message that names 'tiny', the model served",
    )


def test_model_may_be_absent(parse):
    """A request that names no model gets the one there is."""
    for body in (HI, HI | {"model": None}):
        try:
            parse(body)
        except ApiError as error:
            fail(
                "there is only one model here, so nothing is unclear without its name",
                sent=body,
                got=told(error),
                expected="a checked request",
            )


def test_stream_too_early(parse):
    """`stream` true is refused by a server that cannot stream, and its param is `stream`."""
    error = refusal(parse, HI | {"stream": True})
    expect(
        (error.status, error.param) == (400, "stream"),
        "a client that asked for a stream cannot read a plain answer: tell it at once",
        sent={"stream": True},
        got=told(error),
        expected="ApiError 400 with param 'stream'",
    )


def test_stream_when_taught(parse):
    """A server that can stream accepts `stream` true and passes it on."""
    body = HI | {"stream": True, "stream_options": {"include_usage": True}}
    got = parse(body, streaming=True)
    expect(
        got.stream is True and got.include_usage is True,
        "chapter 4 uses this very function, with streaming=True",
        sent=body,
        got=got,
        expected="stream True and include_usage True in the checked request",
    )
