"""Task 1.1: read_body(receive, limit)."""

import asyncio

import pytest

from chapters.core import ApiError, ClientGone
from chapters.course.calling import Client, on_loop, pieces, to_await
from chapters.course.checking import case, expect, fail, provided, show

LEFT = {"type": "http.disconnect"}
MIB = 1024 * 1024


class Arriving(Client):
    """A client that sends these messages; asking for more than those is the fault looked for."""

    async def receive(self):
        if self.asked == len(self.messages):
            fail(
                "after the last piece, receive() waits until the client leaves: no answer is sent",
                sent=self.messages,
                got=f"receive() was called once more, after {self.asked} messages",
                expected="no call after the piece whose more_body is False or missing",
            )
        return await super().receive()


@pytest.fixture
def read_body():
    return provided("chapters.ch01_http.body", "read_body")


def read(read_body, client, *limit, sent: str, expected: str):
    """What read_body returns for this client."""
    with case(sent, expected=expected):
        return on_loop(read_body(client.receive, *limit))


def refusal(read_body, client, *limit, sent: str) -> ApiError:
    """The ApiError that read_body raises for this client, whose body is too large."""
    try:
        got = read(read_body, client, *limit, sent=sent, expected="ApiError with status 413")
    except ApiError as error:
        return error
    fail(
        "what is over the limit must not be taken: one client could fill the server's memory",
        sent=sent,
        got=counted(got),
        expected="ApiError with status 413",
    )


def counted(got) -> str:
    """What came back, in words if it is long."""
    return f"all {len(got)} bytes" if isinstance(got, bytes) and len(got) > 100 else show(got)


def test_one_piece(read_body):
    """A body that comes in one piece is returned as it is."""
    body = b' {"a": 1}\n'
    sent = f"one message with body {body!r} and more_body False"
    got = read(read_body, Arriving(pieces(body)), 100, sent=sent, expected=show(body))
    expect(
        got == body and isinstance(got, bytes),
        "what the bytes mean is for others to say: they get them as they came, spaces and all",
        sent=sent,
        got=show(got),
        expected=f"{body!r}, as bytes",
    )


def test_many_pieces(read_body):
    """A body in pieces, one of them empty and some no text by themselves, is joined in order."""
    sent = [b'{"\xc3', b"", b'\xa4": ', b'"\xff', b'"}']
    told = f"{len(sent)} pieces: {sent}"
    got = read(read_body, Arriving(pieces(*sent)), 100, sent=told, expected=show(b"".join(sent)))
    expect(
        got == b"".join(sent),
        "the network cuts a long prompt where it likes, in the middle of a character too",
        sent=told,
        got=show(got),
        expected=b"".join(sent),
    )


def test_missing_keys(read_body):
    """A message without `body` is an empty piece, one without `more_body` is the last."""
    for messages, wanted in (
        ([{"type": "http.request"}], b""),
        ([{"type": "http.request", "body": b"abc"}], b"abc"),
        ([{"type": "http.request", "more_body": True}, *pieces(b"abc")], b"abc"),
    ):
        told = f"the messages {messages}"
        got = read(read_body, Arriving(messages), 100, sent=told, expected=show(wanted))
        expect(
            got == wanted,
            "ASGI lets a server leave out either key; that must not end in a KeyError",
            sent=told,
            got=show(got),
            expected=wanted,
        )


def test_stops_at_the_last_piece(read_body):
    """After the last piece, `receive` is not called again."""
    client = Arriving(pieces(b"abc", b"def"))
    wanted = "b'abcdef' after 2 calls of receive()"
    got = read(read_body, client, 100, sent="two pieces: b'abc', b'def'", expected=wanted)
    expect(
        client.asked == 2 and got == b"abcdef",
        "what comes after a body is not part of it",
        sent="two pieces: b'abc', b'def'",
        got=f"{show(got)} after {client.asked} calls of receive()",
        expected=wanted,
    )


def test_limit(read_body):
    """A body over the limit is refused at once with 413; one of exactly the limit passes."""
    full = b"x" * 23
    sent = "9 and 14 bytes, limit 23"
    got = read(read_body, Arriving(pieces(full[:9], full[9:])), 23, sent=sent, expected="23 bytes")
    expect(
        got == full,
        "the limit is the most that is accepted, so a body of exactly that size is fine",
        sent=sent,
        got=show(got),
        expected="the 23 bytes",
    )
    for sizes, calls in (((24,), 1), ((9, 14, 1), 3), ((9, 15, 1, 1), 2)):
        client = Arriving(pieces(*(b"x" * size for size in sizes)))
        sent = f"pieces of {', '.join(map(str, sizes))} bytes, limit 23"
        error = refusal(read_body, client, 23, sent=sent)
        expect(
            error.status == 413 and "23" in error.message,
            "413 tells the client that its body is too large, and the number how large it may be",
            sent=sent,
            got=f"ApiError {error.status}: {error.message}",
            expected="ApiError 413 with `limit`, here 23, in its message",
        )
        expect(
            client.asked == calls,
            "reading on would let a client send gigabytes that nobody wants",
            sent=sent,
            got=f"receive() was called {client.asked} times",
            expected=f"{calls} calls: by then it is clear that the body is too large",
        )


def test_limit_when_none_is_given(read_body):
    """Without a limit given, it is 1 MiB."""
    full = b"x" * MIB
    sent = "1048576 bytes, and no limit is passed"
    got = read(read_body, Arriving(pieces(full)), sent=sent, expected="those bytes")
    why = "a conversation of that size is still a request"
    expect(got == full, why, sent=sent, got=counted(got), expected="those bytes")
    sent = "1048577 bytes in two pieces, and no limit is passed"
    error = refusal(read_body, Arriving(pieces(full, b"x")), sent=sent)
    expect(
        error.status == 413,
        "the handler passes no limit: what is the default here protects the server",
        sent=sent,
        got=f"ApiError {error.status}: {error.message}",
        expected="ApiError 413",
    )


def test_client_leaves(read_body):
    """A client that leaves before the last piece: ClientGone."""
    first = {"type": "http.request", "body": b'{"prompt": "Hi"}', "more_body": True}
    for messages in ([first, LEFT], [LEFT]):
        sent = f"the messages {messages}"
        try:
            got = read(read_body, Arriving(messages), 100, sent=sent, expected="ClientGone")
        except ClientGone:
            continue
        fail(
            "half a body would be taken for a whole one, and the model would work for nobody",
            sent=sent,
            got=got,
            expected="ClientGone",
        )


def test_two_requests_at_once(read_body):
    """Two bodies that arrive in turns, a piece of this and a piece of that, stay apart."""
    began = asyncio.Event()

    class First(Arriving):
        async def receive(self):
            if self.asked:
                await began.wait()
            return await super().receive()

    class Second(Arriving):
        async def receive(self):
            began.set()
            return await super().receive()

    async def both():
        clients = First(pieces(b"a1", b"a2")), Second(pieces(b"b1", b"b2"))
        return await asyncio.gather(*(to_await(read_body(c.receive, 100)) for c in clients))

    sent = "one body in pieces b'a1', b'a2'; between these, another in pieces b'b1', b'b2'"
    with case(sent, expected="[b'a1a2', b'b1b2']"):
        got = on_loop(both())
    expect(
        got == [b"a1a2", b"b1b2"],
        "one client's words would be in another's request",
        sent=sent,
        got=got,
        expected=[b"a1a2", b"b1b2"],
    )
