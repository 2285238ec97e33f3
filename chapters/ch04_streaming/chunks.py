"""The chunks of one streamed answer, as OpenAI's API wants them. Given.

Encoding a whole chunk for each token costs more than all else that a token costs on its way
out. All chunks of an answer differ in their text only, so one is encoded once, with a mark in
the place of the text; afterwards only the text is.
"""

from __future__ import annotations

import json
import time
from json.encoder import encode_basestring_ascii  # what json.dumps calls for a string

from chapters.ch01_http.answers import usage
from chapters.ch04_streaming.events import event
from chapters.core import CHAT, CheckedRequest, Endpoint

MARK = "\0the text"


class Chunks:
    """Makes the events of one answer; every chunk has the same id and time.

    checked: says whether `include_usage` or `continuous_usage` was asked for.
    tokens: completion tokens so far, counted up by whoever sends.
    """

    def __init__(
        self, endpoint: Endpoint, uid: str, model: str, checked: CheckedRequest, prompt_tokens: int
    ):
        self.endpoint, self.checked, self.prompt_tokens = endpoint, checked, prompt_tokens
        self.tokens = 0
        self.head = {
            "id": f"{endpoint.id_prefix}{uid}",
            "object": endpoint.chunk_object,
            "created": int(time.time()),
            "model": model,
        }
        self.around = self._whole(MARK).split(json.dumps(MARK).encode())

    def chunk(self, said: dict, reason: str | None = None) -> bytes:
        """The event of one chunk: {"delta": …} or {"text": …}, and perhaps a finish reason.

        Where continuous usage was asked for, it carries the counts so far; where usage was
        asked for at the end, null until then.
        """
        choice = {"index": 0, **said, "finish_reason": reason}
        if self.endpoint is not CHAT:
            choice["logprobs"] = None
        data = {**self.head, "choices": [choice]}
        if self.checked.continuous_usage:
            data["usage"] = self._counts()
        elif self.checked.include_usage:
            data["usage"] = None
        return event(data)

    def text(self, text: str) -> bytes:
        """The event of a chunk with this text."""
        if self.checked.continuous_usage or len(self.around) != 2:
            return self._whole(text)
        return encode_basestring_ascii(text).encode().join(self.around)

    def usage(self) -> bytes:
        """The event of the chunk without choices that carries the whole usage."""
        return event({**self.head, "choices": [], "usage": self._counts()})

    def _whole(self, text: str) -> bytes:
        return self.chunk({"delta": {"content": text}} if self.endpoint is CHAT else {"text": text})

    def _counts(self) -> dict:
        return usage(self.prompt_tokens, self.tokens)
