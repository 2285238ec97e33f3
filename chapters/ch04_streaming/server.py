"""Chapter 4's server: chapter 3's, whose worker gives text as it comes, and which may stream it."""

from __future__ import annotations

from chapters.ch03_queues import server as ch03
from chapters.ch04_streaming.answer import StreamingAnswer
from chapters.ch04_streaming.decoder import StreamedText
from chapters.core import Core


class Server(ch03.Server):
    new_text, new_answer = StreamedText, StreamingAnswer
    streaming = True


def build(core: Core):
    """The server as of this chapter, an ASGI app."""
    return Server(core).app
