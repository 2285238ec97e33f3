"""Chapter 5's server: chapter 4's, which lets go of a request when its client has left."""

from __future__ import annotations

from chapters.ch04_streaming import server as ch04
from chapters.ch05_cancellation.aborts import AbortableTurns
from chapters.ch05_cancellation.cleanup import AbortingBackend, LiveMailbox
from chapters.ch05_cancellation.disconnect import CancelOnDisconnect
from chapters.core import Core


class Server(ch04.Server):
    new_turns, new_mailbox, new_backend = AbortableTurns, LiveMailbox, AbortingBackend
    around = CancelOnDisconnect


def build(core: Core):
    """The server as of this chapter, an ASGI app."""
    return Server(core).app
