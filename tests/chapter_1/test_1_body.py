"""Task 1.1: read_body(receive, limit)."""

import pytest

from chapters.core import ApiError, ClientGone
from chapters.course.checking import Client, case, expect, fail, on_loop, pieces, provided

LEFT = {"type": "http.disconnect"}


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


def test_one_piece(read_body):
    """A body that comes in one piece is returned as it is."""
    got = on_loop(read_body(Arriving(pieces(b'{"a": 1}')).receive, 100))
    expect(
        got == b'{"a": 1}' and isinstance(got, bytes),
        "a short request usually comes like this, and it could not be answered",
        sent="one message with body b'{\"a\": 1}' and more_body False",
        got=got,
        expected=b'{"a": 1}',
    )


def test_many_pieces(read_body):
    """A body in pieces, one of them empty, is joined in order."""
    client = Arriving(pieces(b'{"a"', b"", b": ", b"12}"))
    got = on_loop(read_body(client.receive, 100))
    expect(
        got == b'{"a": 12}',
        "the network cuts a long prompt into pieces where it likes; the request is all of them",
        sent="four pieces: b'{\"a\"', b'', b': ', b'12}'",
        got=got,
        expected=b'{"a": 12}',
    )


def test_missing_keys(read_body):
    """A message without `body` and `more_body` is an empty last piece."""
    with case("the message {'type': 'http.request'}", expected="b'': both keys may be missing"):
        got = on_loop(read_body(Arriving([{"type": "http.request"}]).receive, 100))
    expect(
        got == b"",
        "ASGI lets a server leave both keys out; a GET-like empty body must not end in a KeyError",
        sent="the message {'type': 'http.request'}",
        got=got,
        expected=b"",
    )


def test_stops_at_the_last_piece(read_body):
    """After the last piece, `receive` is not called again."""
    client = Arriving(pieces(b"abc", b"def"))
    got = on_loop(read_body(client.receive, 100))
    expect(
        client.asked == 2,
        "what comes after a body is not part of it",
        sent="two pieces",
        got=f"{got!r} after {client.asked} calls of receive()",
        expected="b'abcdef' after 2 calls",
    )


def test_limit(read_body):
    """A body over the limit is refused at once with 413; one of exactly the limit passes."""
    full = b"x" * 23
    with case("a body of 23 bytes, limit 23", expected="the 23 bytes: the limit is accepted"):
        got = on_loop(read_body(Arriving(pieces(full[:9], full[9:])).receive, 23))
    why = "the limit is the most that is accepted, so a body of exactly that size is fine"
    expect(got == full, why, sent="23 bytes, limit 23", got=got, expected="the 23 bytes")
    client = Arriving(pieces(full[:9], full[8:], b"x", b"y"))
    try:
        got = on_loop(read_body(client.receive, 23))
    except ApiError as error:
        expect(
            error.status == 413 and "23" in error.message,
            "413 tells the client that its body is too large, and the number how large it may be",
            sent="24 bytes, limit 23",
            got=f"ApiError {error.status}: {error.message}",
            expected="ApiError 413 with `limit`, here 23, in its message",
        )
    else:
        fail(
            "without a limit, one client can fill the memory of the server",
            sent="26 bytes in four pieces, limit 23",
            got=got,
            expected="ApiError with status 413",
        )
    expect(
        client.asked == 2,
        "reading on would let a client send gigabytes that nobody wants",
        sent="9, 15, 1 and 1 bytes, limit 23",
        got=f"receive() was called {client.asked} times",
        expected="2 calls: the second piece is over the limit",
    )


def test_client_leaves(read_body):
    """A client that leaves before the last piece: ClientGone."""
    first = {"type": "http.request", "body": b'{"prompt": "Hi"}', "more_body": True}
    try:
        with case("a first piece with more_body True, then http.disconnect", expected="ClientGone"):
            got = on_loop(read_body(Arriving([first, LEFT]).receive, 100))
    except ClientGone:
        return
    fail(
        "half a body would be taken for a whole one, and the model would work for nobody",
        sent="a first piece with more_body True, then http.disconnect",
        got=got,
        expected="ClientGone",
    )
