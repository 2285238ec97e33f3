"""Task 1.2: parse_request(body, served, streaming=False)."""

import json

import pytest

from chapters.core import ApiError, CheckedRequest, Message, Sampling
from chapters.course.checking import case, expect, fail, provided, show

HI = {"messages": [{"role": "user", "content": "Hi"}]}


@pytest.fixture
def parse():
    function = provided("chapters.ch01_http.requests", "parse_request")

    def call(body, *, expected=None, **options):
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        with case(body, expected=expected):
            got = function(raw, "tiny", **options)
        expect(
            isinstance(got, CheckedRequest),
            "the handler hands it on to the model's side",
            sent=body,
            got=got,
            expected="a CheckedRequest, or ApiError raised",
        )
        return got

    return call


def refusal(parse, body, why: str, *, expected: str, sent=None) -> ApiError:
    """The ApiError for this body, which must be refused; `why` says what else would happen."""
    try:
        got = parse(body, expected=expected)
    except ApiError as error:
        return error
    fail(why, sent=sent or body, got=got, expected=f"raised: {expected}")


def told(error: ApiError) -> str:
    return f"ApiError {error.status}, param {error.param!r}: {error.message}"


def test_good_request(parse):
    """A good request becomes a checked one: every message of it, and every setting."""
    said = [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Bye")]
    body = {
        "messages": [{"role": role, "content": content} for role, content in said],
        "model": "tiny",
        "max_tokens": 7,
        "temperature": 0.5,
        "top_p": 0.25,
        "top_k": 9,
        "seed": 3,
        "stop": "x",
        "ignore_eos": True,
    }
    sampling = Sampling(7, 0.5, top_k=9, top_p=0.25, seed=3, stop=("x",), ignore_eos=True)
    _same(parse, body, CheckedRequest(tuple(Message(*turn) for turn in said), sampling))


def test_good_prompt(parse):
    """A good request may have a prompt in place of messages, and max_completion_tokens."""
    body = {"prompt": "Once", "max_completion_tokens": 7}
    sampling = Sampling(7, temperature=1.0)
    _same(parse, body, CheckedRequest("Once", sampling, limit_param="max_completion_tokens"))


def _same(parse, body, wanted: CheckedRequest) -> None:
    """Parsing gives what was wanted; the first field that differs is shown."""
    try:
        got = parse(body)
    except ApiError as error:
        fail("nothing is wrong with this request", sent=body, got=told(error), expected=wanted)
    for part, have, want in (
        ("the sampling", got.sampling, wanted.sampling),
        ("the source", got.source, wanted.source),
        ("the request", got, wanted),
    ):
        expect(
            have == want,
            "what gets lost here is a wish of the client that nobody will honour",
            sent=body,
            got=f"{part}: {show(have)}",
            expected=f"{part}: {show(want)}",
        )


def test_no_json(parse):
    """Bytes that are no JSON object in UTF-8 are a 400."""
    utf16 = json.dumps(HI).encode("utf-16")
    for body in (b"", b"{", b'{"prompt": "\xff"}', b"[]", b"null", b"[" * 9000, utf16):
        sent = f"JSON in UTF-16, not in UTF-8: {show(body)}" if body is utf16 else body
        wanted = "ApiError 400 with param None and a sentence"
        why = "this API is JSON in UTF-8: what is read in another way today may be refused tomorrow"
        error = refusal(parse, body, why, expected=wanted, sent=sent)
        expect(
            error.status == 400 and error.param is None and error.message,
            "whoever debugs a client needs to hear that the body as a whole is wrong, not a field",
            sent=sent,
            got=told(error),
            expected=wanted,
        )


def test_field_is_named(parse):
    """A wrong field is a 400: `param` names it, and the message says in a line what is wrong."""
    for field, value, why in (
        ("temperature", 3, ("3", "2")),
        ("max_tokens", "7", ("7",)),
        ("stop", [""], ()),
        ("n", 2, ("2", "1")),
        ("temprature", 0, ()),
    ):
        wanted = f"ApiError 400 with param {field!r}"
        wish = "a wish of the client, or a slip of the hand, that is dropped without a word"
        error = refusal(parse, HI | {field: value}, wish, expected=wanted)
        expect(
            error.status == 400 and (error.param or "").partition("[")[0] == field,
            "of twenty fields, the client must learn which one to mend",
            sent={field: value},
            got=told(error),
            expected=wanted,
        )
        parts = [field, *why]
        expect(
            all(part in error.message for part in parts),
            "people read the message, programs the param: the message must be enough to mend it",
            sent={field: value},
            got=told(error),
            expected="a message with the field, what came and what may come, as `explain` gives it;"
            f" in it: {' and '.join(parts)}",
        )
        expect(
            "\n" not in error.message.strip() and "pydantic" not in error.message,
            "whoever reads it knows this API and not what the server is made of",
            sent={field: value},
            got=told(error),
            expected="one sentence, as `explain` gives it",
        )


def test_nested_field_is_named(parse):
    """A fault inside the messages is named with its place."""
    body = {"messages": [HI["messages"][0], {"role": "robot", "content": "x"}]}
    wanted = "ApiError 400 with param 'messages[1].role', as `explain` gives it"
    error = refusal(parse, body, "no model was taught that role", expected=wanted)
    expect(
        error.status == 400 and error.param == "messages[1].role",
        "in a history of fifty messages, 'messages is wrong' helps nobody",
        sent="messages whose second one (number 1 from 0) has the role robot",
        got=told(error),
        expected=wanted,
    )


def test_unknown_model(parse):
    """Any other name than that of the model served is a 404 whose message has both names."""
    for name in ("gpt-9", "Tiny", "tin", ""):
        sent = f"{{'model': {name!r}}}, to a server of the model 'tiny'"
        wanted = "ApiError 404, param 'model', code 'model_not_found'"
        lie = "answering with another model than the one asked for would be a lie with status 200"
        error = refusal(parse, HI | {"model": name}, lie, expected=wanted, sent=sent)
        expect(
            (error.status, error.param, error.code) == (404, "model", "model_not_found"),
            lie,
            sent=sent,
            got=f"{told(error)} (code {error.code!r})",
            expected=wanted,
        )
        expect(
            "tiny" in error.message,
            "the client should not have to look elsewhere for a name that works",
            sent=sent,
            got=told(error),
            expected="a message that names 'tiny', the model served",
        )
        expect(
            "model" in error.message.lower() and name in error.message,
            "whoever reads it did not write the request, perhaps: which field, and what was in it?",
            sent=sent,
            got=told(error),
            expected=f"a message with the field, what came and what may come: 'model', {name!r} "
            "and 'tiny'",
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
    sent = "{'stream': True}, to a server that cannot stream yet"
    wanted = "ApiError 400 with param 'stream'"
    why = "a client that asked for a stream cannot read a plain answer: tell it at once"
    error = refusal(parse, HI | {"stream": True}, why, expected=wanted, sent=sent)
    expect(
        (error.status, error.param) == (400, "stream"),
        why,
        sent=sent,
        got=told(error),
        expected=wanted,
    )
    expect(
        "stream" in error.message.lower(),
        "people read the message, programs the param: the message must be enough to mend it",
        sent=sent,
        got=told(error),
        expected="a sentence that says that it is `stream` which cannot be had here",
    )


def test_stream_when_taught(parse):
    """A server that can stream accepts `stream` true and passes it on."""
    body = HI | {"stream": True, "stream_options": {"include_usage": True}}
    try:
        got = parse(body, streaming=True)
    except ApiError as error:
        got = told(error)
    expect(
        not isinstance(got, str) and got.stream is True and got.include_usage is True,
        "chapter 4 uses this very function, with streaming=True",
        sent=body,
        got=got,
        expected="stream True and include_usage True in the checked request",
    )
