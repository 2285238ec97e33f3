"""Task 2.1: new_uid, client_id and EchoRequestId."""

import asyncio
import copy
import datetime
import importlib.util
import json
import math
import os
import sys
import time
from contextlib import contextmanager, suppress
from unittest import mock

import pytest
import uvicorn

from chapters.core import ApiError
from chapters.course.calling import Client, call, on_loop, pieces
from chapters.course.checking import case, expect, fail, provided, show

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
            client = call(lambda scope, *ends: around(with_header(scope, value), *ends), *BODY)
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
    expect(
        all(isinstance(part, bytes) for pair in pairs for part in pair),
        "names and values of ASGI's headers are bytes, and a server that is given text answers 500",
        got=f"headers of the response: {show(list(pairs))}",
        expected="bytes: (b'x-request-id', b'…')",
    )
    return [value.decode("latin-1") for name, value in pairs if name.lower() == HEADER]


HTTP = {"type": "http", "method": "POST", "path": "/", "headers": []}
BODY = (b"one, ", b"two")
GREETING = (
    {"type": "http.response.start", "status": 202, "headers": [(b"x-own", b"1")]},
    {"type": "http.response.body", "body": b"Hel", "more_body": True},
    {"type": "http.response.body", "body": b"lo", "more_body": True},
    {"type": "http.response.body"},
)


async def greeting(scope, receive, send):
    """An app whose response has a header of its own and comes in pieces, the last one empty."""
    for message in GREETING:
        await send(copy.deepcopy(message))


def test_every_uid_is_new(new_uid):
    """Every uid is text, and none comes twice."""
    uids = [new_uid() for _ in range(60_000)]
    expect(
        all(isinstance(uid, str) and uid for uid in uids),
        "a uid is the key in a dict and a part of the answer's id: text, and never empty",
        sent="new_uid()",
        got=show(uids[0]),
        expected="a string",
    )
    twice = len(uids) - len(set(uids))
    _none_twice(twice, 100, uids[-1])  # more than chance would do among a few thousand millions
    beginning = os.path.commonprefix(uids)
    label = next((n for n, c in enumerate(beginning) if c.isdigit()), len(beginning))
    longest = max(map(len, uids)) - label
    bits = longest * math.log2(len(set().union(*(uid[label:] for uid in uids[::10]))))
    expect(
        bits >= 60,
        "among so few values, chance soon gives one of them twice: by the birthday rule, of 2**48 "
        "after some 2**24 requests, in hours",
        sent="60000 calls of new_uid()",
        got=f"uids such as {uids[-1]!r}, of which there are 2**{bits:.0f}",
        expected="2**60 at least; a whole uuid4 is one of 2**122",
    )
    _none_twice(twice, 0, uids[-1])


def _none_twice(twice: int, most: int, uid: str) -> None:
    expect(
        twice <= most,
        "two requests under one uid get each other's replies",
        sent="60000 calls of new_uid()",
        got=f"{60_000 - twice} different uids, such as {uid!r}",
        expected="60000: neither a clock nor a few random characters have that many to give",
    )


def test_other_processes(new_uid):
    """A process started anew, forked from this one, or on a machine like this, gives other uids."""
    started, restarted = ([new() for _ in range(50)] for new in (loaded_anew(), loaded_anew()))
    forked, here = forked_uids(new_uid, 50), [new_uid() for _ in range(50)]
    with same_clock_and_pid():
        new = loaded_anew()
        one = [new() for _ in range(50)]
    with same_clock_and_pid():
        new = loaded_anew()
        other = [new() for _ in range(50)]
    for how, ones, others in (
        (
            "and in another, with the same time and process id (most in containers are 1)",
            one,
            other,
        ),
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


@contextmanager
def same_clock_and_pid():
    """Process 1, at one and the same moment each time; the clock ticks at every tenth look."""
    looks = iter(range(10**9))

    def now() -> int:
        return 1_800_000_000_000_000_000 + next(looks) // 10 * 15_625_000

    class Day(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(now() / 1e9, tz)

        utcnow = today = now

    clocks = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
    fakes = {name: lambda: now() / 1e9 for name in clocks}
    fakes |= {f"{name}_ns": now for name in clocks}
    with (
        mock.patch.multiple(time, **fakes),
        mock.patch.object(datetime, "datetime", Day),
        mock.patch.object(os, "getpid", lambda: 1),
    ):
        yield


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
        ([b"from the client", b"x" * 129], other),
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
    second = client_id(b"", b"from a proxy")
    expect(
        second != "from a proxy",
        "of several such headers the first one counts, also if it is empty: then an id is made",
        sent=sending(b"", b"from a proxy"),
        got=show(second),
        expected="an id that was made",
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
        (b"at the end\n", line),
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
            client.sent[1:] == list(GREETING[1:]),
            "what an app says in its messages is between it and the server: only the start has "
            "headers to add to",
            sent=list(GREETING[1:]),
            got=client.sent[1:],
            expected="the same three messages, as they are",
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
    found, again = echoed(client), echoed(echo(app, b"x" * 129, sent, expected=wanted))
    expect(
        len(found) == 1 and 0 < len(found[0]) <= 128,
        "a refusal is a response too: someone will ask about it",
        sent=sent,
        got=f"X-Request-Id in the response: {found}",
        expected="one, made by us",
    )
    expect(
        found != again and "xxx" not in found[0],
        "who asks about a refusal must name that one: a part of the refused id, or one word for "
        "all refusals, names many",
        sent=f"{sent}; the same again",
        got=f"X-Request-Id in the responses: {found[0]}, then {again[:1]}",
        expected="two ids that were made, as new_uid() makes them",
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

    async def closing(scope, receive, send):
        heard.append((scope["type"], await receive()))
        await send({"type": "websocket.close"})

    client = Client([{"type": "websocket.connect"}])
    with case("a websocket whose X-Request-Id is 129 times x"):
        scope = {"type": "websocket", "path": "/", "headers": [(HEADER, b"x" * 129)]}
        on_loop(layer(closing)(scope, client.receive, client.send))
    expect(
        heard[1:] == [("websocket", {"type": "websocket.connect"})]
        and client.sent == [{"type": "websocket.close"}],
        "a websocket knows other messages than HTTP: a JSON response sent there breaks it",
        sent="scope type websocket, X-Request-Id: 129 times x, message websocket.connect",
        got=f"the app heard {heard[1:]}, the server heard {client.sent}",
        expected="both hear what the other says: nothing but scope type http is the layer's",
    )


def test_nothing_is_held_back():
    """The app hears what the client sends, and goes on when the client has what it sent."""
    layer, read, had, scopes = provided(IDS, "EchoRequestId"), [], [], []
    client = Client(pieces(*BODY))

    async def app(scope, receive, send):
        scopes.append(scope)
        while not read or read[-1].get("more_body"):
            read.append(await receive())
        for message in GREETING:
            await send(copy.deepcopy(message))
            had.append(len(client.sent))

    around = layer(app)
    scope = with_header({**HTTP, "path": "/v1", "query_string": b"q=1"}, b"mine")
    sent = "POST /v1?q=1 with a body of two pieces; the app answers in four messages"
    with case(sent):
        on_loop(around({**scope, "headers": [*scope["headers"]]}, client.receive, client.send))
    expect(
        [message.get("body") for message in read] == list(BODY),
        "`receive` gives each message once: what a layer takes, the app never hears",
        sent=sent,
        got=f"the app heard {read}",
        expected="both pieces",
    )
    expect(
        {name: scopes[0].get(name) for name in scope} == scope,
        "the app reads method, path and headers in the scope: it is called with all of it",
        sent=scope,
        got=f"the app was called with {scopes[0]}",
        expected="the same",
    )
    expect(
        had == [1, 2, 3, 4],
        "a layer that collects messages, or sends them by and by, holds back a stream: the client "
        "sees nothing before the last token",
        sent=sent,
        got=f"messages at the client when the app went on after each: {had}",
        expected=[1, 2, 3, 4],
    )
    config = uvicorn.Config(around, log_config=None)
    config.load()
    expect(
        config.interface == "asgi3",
        "uvicorn takes an app that is not `async def __call__` for one of an older kind (ASGI 2), "
        "and calls it with the scope alone",
        sent="EchoRequestId(app), to uvicorn",
        got=f"taken for {config.interface}",
        expected="asgi3",
    )


def test_what_the_app_raises():
    """An exception of the app passes through, of whatever kind; a cancellation reaches the app."""
    layer, ends = provided(IDS, "EchoRequestId"), []
    for error in (ValueError("a bug"), ApiError(400, "not about any id")):

        async def broken(scope, receive, send, error=error):
            raise error

        came, client = None, Client(pieces(*BODY))
        try:
            on_loop(layer(broken)(with_header(HTTP, b"mine"), client.receive, client.send))
        except (ValueError, ApiError) as raised:
            came = raised
        expect(
            came is error and not client.sent,
            "who runs the app writes its exceptions down; swallowed, or made an answer about an id "
            "that was fine, they mislead whoever looks for the fault",
            sent=f"an app that raises {show(error)}",
            got=f"raised: {show(came)}; the client was sent {client.sent}",
            expected=f"raised: {show(error)}; the client was sent nothing",
        )

    async def waiting(scope, receive, send):
        try:
            ends.append("began")
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            ends.append("cancelled")
            raise

    async def cancelled():
        client = Client(pieces(*BODY))
        around = layer(waiting)(with_header(HTTP, b"mine"), client.receive, client.send)
        task = asyncio.ensure_future(around)
        while not ends:
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        return ends[:], task.cancelled()

    with case("a request that is cancelled while the app waits"):
        got = on_loop(cancelled())
    expect(
        got == (["began", "cancelled"], True),
        "a request that nobody wants any more must end: an app that is not told computes on",
        sent="a request that is cancelled while the app waits",
        got=f"the app: {', '.join(got[0])}; the layer: {'cancelled' if got[1] else 'went on'}",
        expected="the app: began, cancelled; the layer: cancelled",
    )


def test_requests_at_once():
    """Three requests at once, two under the same id: each has its own echo and its own uid."""
    layer, new_uid = provided(IDS, "EchoRequestId"), provided(IDS, "new_uid")
    uids, inside, met = [], [], []
    always = [(b"x-own", b"1")]  # as a response has that was made once and is sent again

    async def app(scope, receive, send):
        uids.append(new_uid())
        inside.append(scope)
        for _ in range(1000):  # turns of the loop
            await asyncio.sleep(0)
            if len(inside) == 3:
                break
        met.append(len(inside))
        await send({"type": "http.response.start", "status": 200, "headers": always})
        await send({"type": "http.response.body"})

    around, values = layer(app), [b"a", b"same", b"same"]
    clients = [Client(pieces(b"")) for _ in values]

    async def together():
        await asyncio.gather(
            *(
                around(with_header(HTTP, value), client.receive, client.send)
                for value, client in zip(values, clients, strict=True)
            )
        )

    with case("three requests at once, with X-Request-Id a, same and same"):
        on_loop(together())
    expect(
        met == [3, 3, 3],
        "a request that waits must not keep out the others: a layer that serves one after the "
        "other, under a lock, does that",
        sent="three requests at once, to an app that waits until all three are there",
        got=f"requests that had reached the app when each was answered: {met}",
        expected="3 each time",
    )
    got = [echoed(client) for client in clients]
    expect(
        got == [["a"], ["same"], ["same"]],
        "one layer serves all requests: what it keeps in itself, or in the app's own list of "
        "headers, is seen by others",
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
