"""What the notebooks say in one line: start a server, ask it, draw its trace, run the checks.

For every lesson: `running`, `asking`, `traces` and `drawing`; `own` (a chapter's exercise files
in the notebook), `events` (a stream taken apart), `wire` (a message line by line), `patience`.
For one: `stages`, `programs`, `application` (lesson 0), `waiting` (0b), `callers` (1), `tape`,
`names` (2), `sides`, `crossing`, `orders`, `parallel`, `batching` (3), `rows`, `waits` (4),
`leaving`, `slow` (5).
"""

from chapters.lessons.asking import Answer, Read, ask, raw, request_bytes, stream, together
from chapters.lessons.drawing import show, timeline
from chapters.lessons.running import check, serve, use
from chapters.lessons.traces import merged

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
