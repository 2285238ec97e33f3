"""One walk over the events with a few things remembered; each broken promise is noted once."""

from __future__ import annotations

import json
from collections.abc import Sequence


def violations(events: Sequence[str], whole: dict) -> list[str]:
    broken: dict[str, None] = {}  # in the order of discovery, each once

    def promise(kept: bool, sentence: str) -> None:
        if not kept:
            broken[sentence] = None

    expected = whole["choices"][0]
    ident = role = finish = None
    text, seen_chunk, seen_delta = "", False, False
    promise(bool(events) and events[-1] == "[DONE]", "the last event is not [DONE]")
    promise("[DONE]" not in events[:-1], "[DONE] comes before the end")
    for data in events:
        if data == "[DONE]":
            continue
        chunk = json.loads(data)
        if not seen_chunk:
            seen_chunk, ident = True, chunk.get("id")
        promise(chunk.get("id") == ident, "the chunks do not all have the same id")
        if not chunk.get("choices"):
            usage = chunk.get("usage")
            right = usage is None or usage == whole["usage"]
            promise(right, f"the usage is not {whole['usage']}")
            continue
        choice = chunk["choices"][0]
        delta = choice.get("delta") or {}
        if not seen_delta:
            seen_delta, role = True, delta.get("role")
        piece = delta.get("content") or ""
        promise(not (piece and finish), "text comes after the finish reason")
        text += piece
        if choice.get("finish_reason") is not None:
            promise(finish is None, "more than one chunk has a finish reason")
            finish = choice["finish_reason"]
            right = finish == expected["finish_reason"]
            promise(right, f"the finish reason is not {expected['finish_reason']!r}")
    promise(role == "assistant", "the first delta has not the role 'assistant'")
    promise(finish is not None, "no chunk has a finish reason")
    promise(text == (expected["message"]["content"] or ""), "the text is not the whole answer's")
    return list(broken)
