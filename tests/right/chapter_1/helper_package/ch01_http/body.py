from chapters.ch01_http.helpers import join
from chapters.core import ApiError, ClientGone

LIMIT = 1024 * 1024


async def read_body(receive, limit=LIMIT):
    pieces = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        pieces.append(message.get("body", b""))
        if sum(map(len, pieces)) > limit:
            raise ApiError(413, f"limit {limit}")
        if not message.get("more_body"):
            return join(pieces)
