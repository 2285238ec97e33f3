"""One walk by a generator, and a dict of what was computed for which body."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(eq=False)
class Exchange:
    body: bytes
    status: int | None
    prompts: tuple[tuple[int, ...], ...]
    passes: int


def _told(exchanges) -> Iterator[str]:
    computed = {}
    for e in exchanges:
        match e.status:
            case None:
                pass
            case 200:
                if not e.prompts or e.prompts[1:]:
                    yield f"{e.body!r}: {len(e.prompts)} prompts for one answer"
                if computed.setdefault(e.body, (e.prompts, e.passes)) != (e.prompts, e.passes):
                    yield f"{e.body!r}: computed in another way than before"
            case status if 400 <= status < 500 and e.passes:
                yield f"{e.body!r}: refused with {status} after {e.passes} passes"


def violations(exchanges):
    return list(_told(exchanges))
