"""Chapter 2's server: chapter 1's, plus ids. Every reply finds its owner; still one at a time."""

from __future__ import annotations

from chapters.ch01_http.server import make_app
from chapters.ch02_request_ids.ids import EchoRequestId
from chapters.ch02_request_ids.pump import RegisteredAnswer
from chapters.ch02_request_ids.registry import Registry
from chapters.core import Core, Reply
from chapters.core.trace import record


class TracedRegistry(Registry):
    """The registry, which notes in the trace what became of each reply."""

    def deliver(self, reply: Reply) -> bool:
        known = super().deliver(reply)
        record("delivered" if known else "discarded", reply.uid, text=reply.text)
        return known


def build(core: Core):
    """The server as of this chapter, an ASGI app."""
    return EchoRequestId(make_app(core, RegisteredAnswer(core, TracedRegistry())))
