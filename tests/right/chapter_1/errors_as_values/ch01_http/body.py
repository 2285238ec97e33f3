"""A machine that is fed one message at a time and says when it has had enough."""

import io

from chapters.core import ApiError, ClientGone

LIMIT = 1_048_576


class _Bucket(io.BytesIO):
    def __init__(self, limit):
        super().__init__()
        self.room, self.limit, self.full = limit, limit, False

    def feed(self, *, type, body=b"", more_body=False, **_):
        if type != "http.request":
            raise ClientGone(f"{type} came after {self.tell()} bytes")
        self.room -= len(body)
        if self.room < 0:
            raise ApiError(413, f"{self.limit} bytes is the most that a body may have")
        self.write(body)
        self.full = not more_body
        return self


async def read_body(receive, limit=LIMIT):
    bucket = _Bucket(limit)
    while not bucket.feed(**await receive()).full:
        pass
    return bucket.getvalue()
