# -*- coding: latin-1 -*-
"""Grüße in Latin-1."""
from chapters.core import ApiError, ClientGone

LIMIT = 1024 * 1024


class read_body:
    """An awaitable, made like a call."""

    def __init__(self, receive, limit=LIMIT):
        self.receive, self.limit = receive, limit

    def __await__(self):
        body = b""
        while True:
            message = yield from self.receive().__await__()
            if message["type"] == "http.disconnect":
                raise ClientGone
            body += message.get("body", b"")
            if len(body) > self.limit:
                raise ApiError(413, f"größer als {self.limit}")
            if not message.get("more_body"):
                return body
