"""What the notebooks say in one line: start a server, ask it, draw its trace, run the checks."""

from chapters.lessons.asking import Answer, Read, ask, raw, request_bytes, stream, together
from chapters.lessons.drawing import merged, show, timeline
from chapters.lessons.running import check, serve, use

__all__ = [
    "Answer",
    "Read",
    "ask",
    "check",
    "merged",
    "raw",
    "request_bytes",
    "serve",
    "show",
    "stream",
    "timeline",
    "together",
    "use",
]
