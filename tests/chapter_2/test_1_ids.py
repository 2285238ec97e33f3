"""Task 2.1: new_uid, client_id and EchoRequestId."""

import asyncio
import importlib.util
import json
import os
import sys

import pytest

from chapters.core import ApiError
from chapters.course.checking import (
    Client,
    call,
    case,
    expect,
    fail,
    on_loop,
    pieces,
    provided,
    show,
)

IDS = "chapters.ch02_request_ids.ids"
HEADER = b"x-request-id"


@pytest.fixture
def new_uid():
    return provided(IDS, "new_uid")


@pytest.fixture
def client_id():
    function = provided(IDS, "client_id")

    def ask(*values: bytes, expected=None):
        headers = [(b"host", b"localhost"), *((HEADER, v) for v in values), (b"accept", b"*/*")]
        with case(sending(*values), expected=expected):
            return function(headers)

    return ask


def sending(*values: bytes) -> str:
    """Headers in words."""
    told = [f"{len(v)} times x" if set(v) == {120} else repr(v) for v in values]
    return "; ".join(f"X-Request-Id: {one}" for one in told) or "no X-Request-Id"


@pytest.fixture
def echo():
    """echo(app, value, sent): one request through the student's layer around `app`; its client."""
    layer = provided(IDS, "EchoRequestId")

    def ask(app, value: bytes | None, sent: str, expected=None) -> Client:
        around = layer(app)
        with case(sent, expected=expected):
            client = call(lambda scope, *ends: around(with_header(scope, value), *ends))
        expect(
            client.sent,
            "the client waits for ever: what is called and not awaited (app or `send`) never runs",
            sent=sent,
            got=client.seen,
            expected="a response",
        )
        return client

    return ask


def with_header(scope: dict, value: bytes | None) -> dict:
    headers = [*scope["headers"], *([(HEADER, value)] if value else [])]
    return {**scope, "headers": headers}


def echoed(client: Client) -> list[str]:
    """All values of X-Request-Id in a response."""
    pairs = client.sent[0].get("headers", ()) if client.sent else ()
    return [value.decode("latin-1") for name, value in pairs if name.lower() == HEADER]


async def greeting(scope, receive, send):
    """An app whose response has a header of its own and comes in two pieces."""
    await send({"type": "http.response.start", "status": 202, "headers": [(b"x-own", b"1")]})
    await send({"type": "http.response.body", "body": b"Hel", "more_body": True})
    await send({"type": "http.response.body", "body": b"lo", "more_body": True})
    await send({"type": "http.response.body"})


def test_every_uid_is_new(new_uid):
    """Every uid is text, and none comes twice."""
    uids = [new_uid() for _ in range(300_000)]
    expect(
        all(isinstance(uid, str) and uid for uid in uids),
        "a uid is the key in a dict and a part of the answer's id: text, and never empty",
        sent="new_uid()",
        got=show(uids[0]),
        expected="a string",
    )
    expect(
        len(set(uids)) == len(uids),
        "two requests under one uid get each other's replies",
        sent="300000 calls of new_uid()",
        got=f"{len(set(uids))} different uids, such as {uids[-1]!r}",
        expected="300000: neither a clock nor a few random characters have that many to give",
    )


def test_other_processes(new_uid):
    """A process started anew, or forked from this one, gives other uids."""
    started, restarted = ([new() for _ in range(50)] for new in (loaded_anew(), loaded_anew()))
    forked, here = forked_uids(new_uid, 50), [new_uid() for _ in range(50)]
    for how, ones, others in (
        ("and again after a restart", started, restarted),
        ("and in one forked from it", here, forked),
    ):
        both = sorted({*ones} & {*others})
        expect(
            both == [],
            "two front-ends before one worker would hand it two requests under the same uid",
            sent=f"50 calls of new_uid() in a process {how}, 50 each time",
            got=f"{len(both)} uids were given by both, such as {both[:1]}",
            expected="none",
        )


def loaded_anew():
    """`new_uid` as another front-end has it, or this one after a restart."""
    spec = importlib.util.find_spec(IDS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.new_uid


def forked_uids(new_uid, count: int) -> list[str]:
    """Uids that a fork of this process gives, in a system that has such a thing."""
    if sys.platform == "win32":
        return []
    out, into = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(into, "\n".join(new_uid() for _ in range(count)).encode())
        finally:
            os._exit(0)
    os.close(into)
    with open(out) as pipe:
        uids = pipe.read().split("\n")
    os.waitpid(child, 0)
    expect(len(uids) == count, "a forked worker must be able to name its requests", got=uids)
    return uids


def test_client_id_is_kept(client_id):
    """What the client sends, up to 128 printable ASCII characters, is kept; of two, the first."""
    marks = bytes(range(33, 80)) + b" " + bytes(range(80, 127))
    looks = "the client looks for its own id in the response and in our log, as it wrote it"
    other = "who else reads such a header, a library or another server, takes the first as a rule"
    for values, why in (
        ([b"7"], looks),
        ([b"Order 66/a"], looks),
        ([b" 7 "], looks),
        ([marks], looks),
        ([b"x" * 128], looks),
        ([b"from the client", b"from a proxy"], other),
    ):
        wanted = f"{values[0].decode()!r}, as text"
        got = client_id(*values, expected=wanted)
        expect(
            got == values[0].decode(), why, sent=sending(*values), got=show(got), expected=wanted
        )


def test_client_id_is_made(client_id):
    """Where the header is absent or empty, an id is made, a new one each time."""
    made = [client_id(), client_id(b""), client_id()]
    expect(
        all(isinstance(one, str) and one for one in made) and len(set(made)) == 3,
        "whoever reports a failed request needs an id to name it by, and it must name only that",
        sent="no X-Request-Id; an empty one; none again",
        got=made,
        expected="three different strings, none of them empty",
    )
    again = client_id(made[0].encode())
    expect(
        again == made[0],
        "clients pass an id that they were given on to the next service: ours must be acceptable",
        sent=made[0],
        got=again,
        expected="the same, accepted",
    )


def test_client_id_is_refused(client_id):
    """Over 128 characters, or anything but printable ASCII: ApiError 400 that names the header."""
    wanted = "ApiError 400 with param 'X-Request-Id' and a sentence"
    long = "it would stand in our log, which one client could fill; cut off, it would be another id"
    line = "it would stand in our log and in a header: a line break there writes new lines"
    control = "it would stand in our log: such bytes move the cursor, clear the screen, end a text"
    beyond = "bytes from 128 on are read in different ways: it would not come back as it was sent"
    for value, why in (
        (b"x" * 129, long),
        (b"a\nINFO all is well", line),
        (b"a\rb", line),
        (b"tab\there", control),
        (b"\x00", control),
        (b"\x1b[2J", control),
        (b"x\x7f", control),
        ("Aufträge".encode(), beyond),
        (b"Auftr\xe4ge", beyond),
        ("line\u2028separator".encode(), beyond),
    ):
        try:
            got = client_id(value, expected=wanted)
        except ApiError as error:
            expect(
                (error.status, error.param) == (400, "X-Request-Id") and error.message,
                "the client must learn that this header of its request was at fault",
                sent=sending(value),
                got=f"ApiError {error.status}, param {error.param!r}: {error.message}",
                expected=wanted,
            )
        else:
            fail(why, sent=sending(value), got=show(got), expected=wanted)


def test_every_response_carries_it(echo):
    """A response gets its X-Request-Id beside its own headers, and is otherwise as it was."""
    for value in (b"mine-1", None):
        sent = f"X-Request-Id: {value!r}" if value else "no X-Request-Id"
        client = echo(greeting, value, sent)
        found = echoed(client)
        expect(
            found == ["mine-1"] if value else len(found) == 1 and found[0],
            "the client finds the log's lines by this id; two of them, or none, help nobody",
            sent=sent,
            got=f"X-Request-Id in the response: {found}",
            expected="mine-1, once" if value else "one that was made",
        )
        expect(
            len(client.sent) == 4 and not client.sent[-1].get("more_body"),
            "the last message says that the response is over, also when it carries no bytes",
            sent="a start and three pieces, the last one without a body",
            got=client.sent,
            expected="all four messages",
        )
        expect(
            (client.status, client.body, client.headers.get("x-own")) == (202, b"Hello", "1"),
            "an id is added; what the app has to say goes through unchanged, piece by piece",
            sent="a response of status 202 with header x-own: 1 and body Hel, lo",
            got=f"{client.seen}, headers {client.headers}",
            expected="the same, with one more header",
        )

    async def bare(scope, receive, send):
        await send({"type": "http.response.start", "status": 204})
        await send({"type": "http.response.body"})

    sent = "X-Request-Id: mine-2, to an app that answers 204 with a start that has no `headers`"
    wanted = "status 204 with X-Request-Id: mine-2"
    client = echo(bare, b"mine-2", sent, expected=wanted)
    expect(
        (client.status, echoed(client)) == (204, ["mine-2"]),
        "ASGI lets an app leave `headers` out; such a response needs its id too",
        sent=sent,
        got=client.sent,
        expected=wanted,
    )


def test_a_refused_id_ends_the_request(echo):
    """A refused id becomes a 400 under an id that was made, and the app is not called."""
    called = []

    async def app(scope, receive, send):
        called.append(scope)
        await greeting(scope, receive, send)

    sent = "X-Request-Id: 129 times x"
    wanted = "status 400, an error with param X-Request-Id, the app not called"
    client = echo(app, b"x" * 129, sent, expected=wanted)
    try:
        error = json.loads(client.body)["error"]
    except (ValueError, KeyError, TypeError):
        error = {}
    expect(
        client.status == 400 and error.get("param") == "X-Request-Id" and not called,
        "nothing is computed for a request that is refused, and the client hears what to mend",
        sent=sent,
        got=f"{client.seen}; the app was called {len(called)} times",
        expected=wanted,
    )
    found = echoed(client)
    expect(
        len(found) == 1 and 0 < len(found[0]) <= 128,
        "a refusal is a response too: someone will ask about it",
        sent=sent,
        got=f"X-Request-Id in the response: {found}",
        expected="one, made by us",
    )


def test_what_is_no_request(echo):
    """A call that is no HTTP request, as when the server starts, passes through untouched."""
    layer, heard = provided(IDS, "EchoRequestId"), []

    async def app(scope, receive, send):
        heard.append((scope["type"], await receive()))
        await send({"type": "lifespan.startup.complete"})

    client = Client([{"type": "lifespan.startup"}])
    with case("the call with which a server announces its start: it has no headers"):
        on_loop(layer(app)({"type": "lifespan", "asgi": {}}, client.receive, client.send))
    expect(
        heard == [("lifespan", {"type": "lifespan.startup"})]
        and client.sent == [{"type": "lifespan.startup.complete"}],
        "whoever swallows these keeps the server from starting, or its workers from ending",
        sent="scope type lifespan, message lifespan.startup",
        got=f"the app heard {heard}, the server heard {client.sent}",
        expected="both hear what the other says",
    )


def test_requests_at_once():
    """Three requests at once, two under the same id: each has its own echo and its own uid."""
    layer, new_uid = provided(IDS, "EchoRequestId"), provided(IDS, "new_uid")
    uids, inside = [], []

    async def app(scope, receive, send):
        uids.append(new_uid())
        inside.append(scope)
        while len(inside) < 3:
            await asyncio.sleep(0)
        await greeting(scope, receive, send)

    around, values = layer(app), [b"a", b"same", b"same"]
    clients = [Client(pieces(b"")) for _ in values]

    async def together():
        scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
        await asyncio.gather(
            *(
                around(with_header(scope, value), client.receive, client.send)
                for value, client in zip(values, clients, strict=True)
            )
        )

    with case("three requests at once, with X-Request-Id a, same and same"):
        on_loop(together())
    got = [echoed(client) for client in clients]
    expect(
        got == [["a"], ["same"], ["same"]],
        "one layer serves all requests: what it keeps in itself belongs to whoever came last",
        sent="three requests at once, with X-Request-Id a, same and same",
        got=got,
        expected="a, same and same",
    )
    expect(
        len(set(uids)) == 3 and not {"a", "same"} & set(uids),
        "two clients may choose the same id: it must not decide whose reply is whose",
        sent="three requests at once, with X-Request-Id a, same and same",
        got=f"the uids inside: {uids}",
        expected="three different uids of our own",
    )
