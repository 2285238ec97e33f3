"""Groups the good exchanges by body and looks for more than one kind of computation."""

from collections import defaultdict
from dataclasses import dataclass


@dataclass(frozen=True)
class Exchange:
    body: bytes
    status: int | None
    prompts: tuple
    passes: int


def violations(exchanges):
    told = []
    kinds = defaultdict(set)
    for exchange in exchanges:
        if exchange.status is not None and exchange.status // 100 == 4:
            told += ["computed for a bad request"] * bool(exchange.passes)
        elif exchange.status == 200:
            kinds[exchange.body].add((exchange.prompts, exchange.passes))
    for body, kind in kinds.items():
        if len(kind) > 1:
            told.append(f"{body!r} was computed in {len(kind)} ways")
        if any(len(prompts) != 1 for prompts, _ in kind):
            told.append(f"{body!r} was not computed once")
    return told
