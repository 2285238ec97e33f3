"""Design: intervals. Where each request's tokens stand in the list, searched by bisection."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


class Places:
    """Where the moments of one request stand, sorted."""

    def __init__(self, moments: Sequence[Moment], uid: str):
        def of(kind: str) -> list[int]:
            return [n for n, moment in enumerate(moments) if moment == Moment(kind, uid)]

        self.uid = uid
        self.admitted, self.tokens, self.ended = of("admitted"), of("token"), of("ended")
        self.begin = self.admitted[0] if self.admitted else len(moments)
        self.end = self.ended[0] if self.ended else len(moments)

    def passed_over(self, after: int, before: int) -> bool:
        """It ran from `after` to `before`, and had no token between them."""
        ran = self.begin < after and before < self.end
        return ran and bisect(self.tokens, after) == bisect(self.tokens, before)


def violations(moments: Sequence[Moment]) -> list[str]:
    requests = [Places(moments, uid) for uid in dict.fromkeys(m.uid for m in moments)]
    return [*unfair(requests), *endless(requests), *lifeless(requests)]


def unfair(requests: Sequence[Places]) -> Iterator[str]:
    for one in requests:
        for other in requests:
            if other is one:
                continue
            if any(other.passed_over(*two) for two in pairwise(one.tokens)):
                yield f"{one.uid} was given two tokens, and {other.uid} none between them"


def endless(requests: Sequence[Places]) -> Iterator[str]:
    for one in requests:
        if one.admitted and len(one.ended) != 1:
            yield f"{one.uid} was admitted once and has ended {len(one.ended)} times"


def lifeless(requests: Sequence[Places]) -> Iterator[str]:
    for one in requests:
        if any(token < one.begin for token in one.tokens):
            yield f"{one.uid} was given a token before it was admitted"
        if any(token > one.end for token in one.tokens):
            yield f"{one.uid} was given a token after it had ended"
