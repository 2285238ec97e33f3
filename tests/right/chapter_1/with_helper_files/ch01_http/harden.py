"""Compares each good exchange with all others of the same body."""

from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Exchange:
    body: bytes
    status: int | None
    prompts: tuple
    passes: int


def violations(exchanges):
    good = [e for e in exchanges if e.status == 200]
    wasted = [e for e in exchanges if e.status in range(400, 500) and e.passes > 0]
    return [
        *(f"{e.status} cost {e.passes} passes" for e in wasted),
        *("not from one prompt" for e in good if len(e.prompts) != 1),
        *("differs" for a, b in combinations(good, 2) if a.body == b.body and a != b),
    ]
