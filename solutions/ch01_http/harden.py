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

    A good request, whose prompt had three tokens and whose answer had two:
    Exchange(b'{"prompt": "Hi!", …}', 200, ((72, 105, 33),), 2)
    """

    body: bytes
    status: int | None
    prompts: tuple[tuple[int, ...], ...]
    passes: int


def violations(exchanges: Sequence[Exchange]) -> list[str]:
    """One sentence for each broken promise; an empty list if the server kept them all.

    exchanges: what happened, in order; perhaps nothing yet. The promises:
        Nothing is computed for a bad request: a status of 400 to 499 has cost no forward pass.
        (A 5xx may have: the model failed half-way, and that is no fault of the HTTP side.)
        Every good answer was computed for its own request: a 200 has exactly one prompt.
        Nothing is remembered between calls: whenever the same body is answered with 200, the
        core was given the same prompt and made the same number of passes.
    """
    # BEGIN SOLUTION
    found, first = [], {}
    for number, exchange in enumerate(exchanges):
        status = exchange.status
        if status in range(400, 500) and exchange.passes:
            found.append(f"request {number}: {exchange.passes} passes for a status {status}")
        if status != 200:
            continue
        if len(exchange.prompts) != 1:
            found.append(f"request {number}: answered from {len(exchange.prompts)} prompts")
        earlier = first.setdefault(exchange.body, exchange)
        if (earlier.prompts, earlier.passes) != (exchange.prompts, exchange.passes):
            found.append(f"request {number}: computed unlike an equal request before it")
    return found
    # END SOLUTION
