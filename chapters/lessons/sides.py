"""The lines of a trace: which stage of a request's way each belongs to, and which thread."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from chapters.core.trace import Event

LOOP, WORKER = "loop", "worker"
STAGES = {  # kind of event → (the stages that may be named, the thread)
    "received": ({"API server"}, LOOP),
    "submitted": ({"API server"}, LOOP),
    "admitted": ({"scheduler"}, WORKER),
    "prefill": ({"engine"}, WORKER),
    "token": ({"engine"}, WORKER),
    "kv freed": ({"engine"}, WORKER),
    "delivered": ({"API server"}, LOOP),
    "answered": ({"API server"}, LOOP),
    "finished": ({"API server"}, LOOP),
}


def lines(events: Iterable[Event], names: Mapping[str | None, str]) -> str:
    """A trace as text, a line an event: when, whose, what. names: uid or lane → a short name."""
    events = [event for event in events if event.kind in STAGES]
    start = events[0].time
    return "\n".join(
        f"{1000 * (e.time - start):7.1f} ms  {names.get(e.uid, '?')}  {e.kind}" for e in events
    )


def compare(labels: Mapping[str, tuple[str, str]]) -> None:
    """Print which labels are right. labels: kind of event → (stage, thread)."""
    tried = {kind: label for kind, label in labels.items() if "?" not in label}
    if not tried:
        print("nothing is labelled yet")
    for kind, (stage, thread) in tried.items():
        stages, where = STAGES[kind]
        verdict = "right" if stage in stages and thread == where else "look again"
        print(f"{kind:<10} {stage}, in the {thread}'s thread: {verdict}")
