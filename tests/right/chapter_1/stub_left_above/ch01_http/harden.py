"""Task 1.5: harden. Say what must be true of every run, whatever server produced it.

A server is observed from outside: what was asked, what status came back, and what the core was
made to compute meanwhile. An invariant is a rule that every right server keeps, fast or slow,
however it is written, and that a wrong one breaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Exchange:
    """One request and what became of it. All requests here are greedy (temperature 0).

    body: the bytes the client sent.
    status: of the response; None if the client left before there was one.
    prompts: the token ids of each prompt that the core was given for it, in order.
    passes: how many forward passes were made for it.
    """

    body: bytes
    status: int | None
    prompts: tuple[tuple[int, ...], ...]
    passes: int


def violations(exchanges: Sequence[Exchange]) -> list[str]:
    """One sentence for each broken promise; an empty list if the server kept them all.

    exchanges: what happened, in order. The promises:
        Nothing is computed for a bad request: a status of 400 to 499 has cost no forward pass.
        (A 5xx may have: the model failed half-way, and that is no fault of the HTTP side.)
        Every good answer was computed for its own request: a 200 has exactly one prompt.
        Nothing is remembered between calls: whenever the same body is answered with 200, the
        core was given the same prompt and made the same number of passes.
    """
    raise NotImplementedError("Task 1.5: harden: an invariant over what happened")


from collections import defaultdict


def my_violations(exchanges):
    told = []
    kinds = defaultdict(set)
    for exchange in exchanges:
        if exchange.status is not None and exchange.status // 100 == 4:
            told += ["computed for a bad request"] * bool(exchange.passes or exchange.prompts)
        elif exchange.status == 200:
            kinds[exchange.body].add((exchange.prompts, exchange.passes))
    for body, kind in kinds.items():
        if len(kind) > 1:
            told.append(f"{body!r} was computed in {len(kind)} ways")
        if any(len(prompts) != 1 for prompts, _ in kind):
            told.append(f"{body!r} was not computed once")
    return told


violations = my_violations
