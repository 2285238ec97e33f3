"""Collects text, piece by piece, and encodes it at the end.

misunderstood: errors='ignore' makes decoding safe (a character cut in two is lost)
seen in: an ordinary slip
task: 1.1
check: test_many_pieces
"""


async def read_body(receive, limit=LIMIT):
    text, size, more = "", 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        piece = message.get("body", b"")
        size += len(piece)
        if size > limit:
            raise ApiError(413, f"the body is larger than {limit} bytes")
        text += piece.decode("utf-8", errors="ignore")
        more = message.get("more_body", False)
    return text.encode()
