"""The stream is put together into an answer first; then five promises, a sentence for each."""

from __future__ import annotations

import json
from collections.abc import Sequence


def violations(events: Sequence[str], whole: dict) -> list[str]:
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk.get("choices")]
    pieces = [choice["delta"].get("content") or "" for choice in choices]
    reasons = [choice.get("finish_reason") for choice in choices]
    expected = whole["choices"][0]
    final = [n for n, reason in enumerate(reasons) if reason is not None]
    usages = [chunk.get("usage") for chunk in chunks if not chunk.get("choices")]
    promises = {
        "A stream ends with [DONE], which comes once.": (
            events[-1:] == ["[DONE]"] and events.count("[DONE]") == 1
        ),
        "All chunks have one id, and the first delta has the role 'assistant'.": (
            len({chunk.get("id") for chunk in chunks}) <= 1
            and choices[0]["delta"].get("role") == "assistant"
        ),
        "The pieces of text, joined, are the whole answer's text.": (
            "".join(pieces) == expected["message"]["content"]
        ),
        "One chunk has the whole answer's finish reason, and no text comes after it.": (
            [reasons[n] for n in final] == [expected["finish_reason"]]
            and not any(pieces[final[0] + 1 :])
        ),
        "The usage at the end is the whole answer's.": (
            all(usage is None or usage == whole["usage"] for usage in usages)
        ),
    }
    return [sentence for sentence, kept in promises.items() if not kept]
