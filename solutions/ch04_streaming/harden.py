"""Task 4.5: harden. What every streamed answer must be, whatever it says.

A stream is watched from the client's side, as the data of its events, and compared with the
answer that the same request gets without streaming.
"""

from __future__ import annotations

import json
from collections.abc import Sequence


def violations(events: Sequence[str], whole: dict) -> list[str]:
    """Sentences that say which promises were broken, one or more; an empty list if all were kept.

    What it is given is not changed.

    events: the data of the stream's events in order, of a chat request that was answered:
        chunks as JSON, and "[DONE]". At least one chunk has choices; a chunk with usage may have
        an empty list of them. A delta may have no content, or null; `usage` may be missing or
        null.
    whole: the JSON answer of the same request (same seed) without streaming. It is another
        answer, so it has another id.

    The promises:
        The last event is [DONE], and it is the only one of its kind.
        All chunks have the same id. The first delta has the role "assistant".
        The pieces of text, joined, are the whole answer's text.
        Exactly one chunk has a finish reason that is not null. It is the whole answer's, and no
        chunk after it has text.
        Where a chunk without choices has usage (not null), it equals the whole answer's. (One
        with choices may count what there was so far.)
    """
    # BEGIN SOLUTION
    found = []
    if not events or events[-1] != "[DONE]" or events.count("[DONE]") != 1:
        found.append("it does not end with its only [DONE]")
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    wanted = whole["choices"][0]
    pieces = [choice["delta"].get("content") or "" for choice in choices]
    reasons = [choice["finish_reason"] for choice in choices]
    if len({chunk["id"] for chunk in chunks}) != 1:
        found.append("its chunks have several ids")
    if not choices or choices[0]["delta"].get("role") != "assistant":
        found.append("its first delta names no role")
    if "".join(pieces) != wanted["message"]["content"]:
        found.append("its pieces are not the whole answer's text")
    if [reason for reason in reasons if reason] != [wanted["finish_reason"]]:
        found.append(f"its finish reasons are {reasons}")
    elif any(pieces[reasons.index(wanted["finish_reason"]) + 1 :]):
        found.append("text comes after the finish reason")
    counts = [chunk["usage"] for chunk in chunks if not chunk["choices"] and chunk.get("usage")]
    return found + [f"usage is {c}" for c in counts if c != whole["usage"]]
    # END SOLUTION
