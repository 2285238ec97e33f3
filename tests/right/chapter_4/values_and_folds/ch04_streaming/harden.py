"""One generator for each promise; it yields at most one sentence, and says what it saw."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile, islice

DONE = "[DONE]"


def violations(events: Sequence[str], whole: dict) -> list[str]:
    chunks = [json.loads(data) for data in events if data != DONE]
    choices = [choice for chunk in chunks for choice in chunk.get("choices") or []]
    expected = whole["choices"][0]
    found = chain(
        ends_with_done(events),
        one_id(chunks),
        assistant(choices),
        same_text(choices, expected["message"]["content"]),
        one_reason(choices, expected["finish_reason"]),
        silent_after_reason(choices),
        same_usage(chunks, whole["usage"]),
    )
    return list(found)


def text_of(choice: dict) -> str:
    return choice["delta"].get("content") or ""


def ends_with_done(events: Sequence[str]) -> Iterator[str]:
    places = [n for n, data in enumerate(events) if data == DONE]
    if places != [len(events) - 1]:
        yield f"[DONE] must be the last of {len(events)} events, and is at {places or 'no place'}"


def one_id(chunks: list[dict]) -> Iterator[str]:
    ids = sorted({str(chunk.get("id")) for chunk in chunks})
    if len(ids) > 1:
        yield f"the chunks of one answer have {len(ids)} ids: {', '.join(ids)}"


def assistant(choices: list[dict]) -> Iterator[str]:
    role = choices[0]["delta"].get("role")
    if role != "assistant":
        yield f"the first delta's role must be 'assistant', and is {role!r}"


def same_text(choices: list[dict], expected: str) -> Iterator[str]:
    text = "".join(map(text_of, choices))
    if text != expected:
        yield f"the text is {text!r}, and without streaming {expected!r}"


def one_reason(choices: list[dict], expected: str) -> Iterator[str]:
    given = [c["finish_reason"] for c in choices if c.get("finish_reason") is not None]
    if given != [expected]:
        yield f"the finish reason must be {expected!r}, once, and is {given}"


def silent_after_reason(choices: list[dict]) -> Iterator[str]:
    since = dropwhile(lambda choice: choice.get("finish_reason") is None, choices)
    late = "".join(map(text_of, islice(since, 1, None)))
    if late:
        yield f"after the finish reason there is more text: {late!r}"


def same_usage(chunks: list[dict], expected: dict) -> Iterator[str]:
    final = [c["usage"] for c in chunks if not c.get("choices") and c.get("usage") is not None]
    wrong = [usage for usage in final if usage != expected]
    if wrong:
        yield f"the usage is {wrong[0]}, and without streaming {expected}"
