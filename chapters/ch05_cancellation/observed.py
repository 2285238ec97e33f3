"""Chapter 5's server, observed: its run as the moments that Task 5.5 speaks of. Given.

The trace (`chapters.core.trace`) has most of them; what only the HTTP side knows, this adds.
"""

from __future__ import annotations

from collections.abc import Iterable

from chapters.ch05_cancellation.harden import Moment
from chapters.ch05_cancellation.server import Server
from chapters.core.trace import Event, record


class Mailbox(Server.new_mailbox):
    def apply(self, reply):
        super().apply(reply)
        if reply.last:
            record("last reply", reply.uid)


class Backend(Server.new_backend):
    def release(self, mailbox):
        known = mailbox.uid in self.registry.live
        super().release(mailbox)
        if known and mailbox.uid not in self.registry.live:
            record("closed", mailbox.uid)


class Observed(Server):
    """The same server, which also notes when a last reply arrives and a request is forgotten."""

    new_mailbox, new_backend = Mailbox, Backend


KINDS = {"submitted": "opened", "prefill": "pass", "decode": "pass"} | {
    kind: kind for kind in ("last reply", "abort asked", "closed", "kv freed")
}


def moments(events: Iterable[Event], names: dict[str, str] | None = None) -> list[Moment]:
    """What Task 5.5 looks at, out of a trace.

    names: uid → the name by which the moments call it; without it, the uid itself.
    """
    kept = [event for event in events if event.kind in KINDS]
    return [Moment(KINDS[event.kind], (names or {}).get(event.uid, event.uid)) for event in kept]
