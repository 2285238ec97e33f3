"""Pieces are checked by a match statement; the size is looked up in a running sum."""

from itertools import accumulate

from chapters.core import ApiError, ClientGone

LIMIT = 2**20


async def read_body(receive, limit=LIMIT):
    pieces = []
    while True:
        match await receive():
            case {"type": "http.disconnect"}:
                raise ClientGone
            case {"body": piece, **rest}:
                pieces.append(piece)
            case rest:
                pass
        if any(size > limit for size in accumulate(map(len, pieces))):
            raise ApiError(413, f"limit: {limit} bytes", code="body_too_large")
        if not rest.get("more_body", False):
            return b"".join(pieces)
