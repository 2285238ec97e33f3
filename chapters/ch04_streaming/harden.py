"""Task 4.5: harden. What every streamed answer must be, whatever it says.

A stream is watched from the client's side, as the data of its events, and compared with the
answer that the same request gets without streaming.
"""

from __future__ import annotations

import json
from collections.abc import Sequence


def violations(events: Sequence[str], whole: dict) -> list[str]:
    """One sentence for each broken promise; an empty list if all were kept.

    events: the data of the stream's events in order, of a chat request that was answered.
    whole: the JSON answer of the same request (same seed) without streaming.

    The promises:
        The last event is [DONE], and it is the only one of its kind.
        All chunks have one id. The first delta has the role "assistant".
        The pieces of text, joined, are the whole answer's text.
        Exactly one chunk has a finish reason; it is the whole answer's, and no text comes after.
        If a chunk has usage (not null) and no choices, it equals the whole answer's.
    """
    raise NotImplementedError("Task 4.5: harden: what every stream must be")
