"""A table: a sentence for what is broken, and the question that finds it out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

DONE = "[DONE]"


@dataclass
class Stream:
    events: Sequence[str]
    whole: dict

    @cached_property
    def chunks(self) -> list[dict]:
        return [json.loads(data) for data in self.events if data != DONE]

    @cached_property
    def choices(self) -> list[dict]:
        return [chunk["choices"][0] for chunk in self.chunks if chunk["choices"]]

    @cached_property
    def texts(self) -> list[str]:
        return [choice["delta"].get("content") or "" for choice in self.choices]

    @cached_property
    def ends(self) -> list[int]:
        """The places, among the choices, of the finish reasons."""
        found = enumerate(self.choices)
        return [n for n, choice in found if choice["finish_reason"] is not None]

    @property
    def expected(self) -> dict:
        return self.whole["choices"][0]

    def wrong_usage(self) -> bool:
        counts = [chunk.get("usage") for chunk in self.chunks if not chunk["choices"]]
        return any(count not in (None, self.whole["usage"]) for count in counts)


RULES: list[tuple[str, Callable[[Stream], bool]]] = [
    ("The last event is not [DONE].", lambda s: not s.events or s.events[-1] != DONE),
    ("[DONE] is sent more than once.", lambda s: list(s.events).count(DONE) > 1),
    ("The chunks have different ids.", lambda s: len({chunk["id"] for chunk in s.chunks}) > 1),
    (
        "The first delta does not say that the assistant speaks.",
        lambda s: s.choices[0]["delta"].get("role") != "assistant",
    ),
    (
        "The text is not that of the whole answer.",
        lambda s: "".join(s.texts) != s.expected["message"]["content"],
    ),
    ("There is not exactly one finish reason.", lambda s: len(s.ends) != 1),
    (
        "A finish reason is not that of the whole answer.",
        lambda s: any(s.choices[n]["finish_reason"] != s.expected["finish_reason"] for n in s.ends),
    ),
    ("Text follows the finish reason.", lambda s: any(any(s.texts[n + 1 :]) for n in s.ends)),
    ("The usage at the end is not the whole answer's.", Stream.wrong_usage),
]


def violations(events: Sequence[str], whole: dict) -> list[str]:
    stream = Stream(events, whole)
    return [sentence for sentence, broken in RULES if broken(stream)]
