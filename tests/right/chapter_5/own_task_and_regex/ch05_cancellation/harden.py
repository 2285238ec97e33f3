"""Each request's moments spelled as a word, a letter each; each promise is a regular expression."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


LETTERS = {
    "opened": "o",
    "last reply": "l",
    "abort asked": "a",
    "closed": "c",
    "pass": "p",
    "kv freed": "f",
}
# (the letters that matter, what they must spell, the promise)
PROMISES = [
    ("olac", "o[la]*c", "is opened once and closed once, and all of its HTTP side lies between"),
    ("la", "[la]", "ends once, by its last reply or by one abort"),
    ("ap", "p*(aa*p?a*)?", "gets at most one more pass after its abort"),
    ("pf", "f*|p+f", "has its KV cache freed once, and no pass begins after"),
]


def violations(moments: Sequence[Moment]) -> list[str]:
    words: dict[str, str] = defaultdict(str)
    for moment in moments:
        words[moment.uid] += LETTERS.get(moment.kind, "")
    return [
        f"{uid}: it was promised that a request {promise}; its moments spell {word!r}."
        for uid, word in words.items()
        for letters, pattern, promise in PROMISES
        if not re.fullmatch(pattern, "".join(c for c in word if c in letters))
    ]
