"""Tapes: what one pipe carried, made by hand. A reply's text is its name: A1 is A's first."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from chapters.core import Failure, Reply


def replies(uid: str, name: str, count: int = 4, *, error: bool = False) -> list[Reply]:
    """The replies of one request, named A1 A2 …; the last says that it is."""
    made = [Reply(uid, f"{name}{number}", 1) for number in range(1, count)]
    if error:
        return [*made, Reply(uid, f"{name}{count}", 1, error=Failure("server_error", "it broke"))]
    return [*made, Reply(uid, f"{name}{count}", 1, "stop")]


def interleavings(first: Sequence[Reply], second: Sequence[Reply]) -> Iterator[list[Reply]]:
    """Every tape that has both requests' replies, each in its own order: 70 for 4 and 4."""
    length = len(first) + len(second)
    for places in combinations(range(length), len(first)):
        ones, others = iter(first), iter(second)
        yield [next(ones) if place in places else next(others) for place in range(length)]


def named(given: Sequence[Reply]) -> str:
    """Replies as a person writes them: A1 B1 B2 A2."""
    return " ".join(reply.text or "''" for reply in given) or "nothing"


def marked(given: Sequence[Reply]) -> str:
    """The same, and last ones show: A4. has a finish reason, B4! an error. A3(2): two tokens."""
    ends = ["!" if reply.error else "." if reply.last else "" for reply in given]
    ends = [e if r.tokens == 1 else f"({r.tokens}){e}" for e, r in zip(ends, given, strict=True)]
    return " ".join(f"{r.text or chr(39) * 2}{e}" for r, e in zip(given, ends, strict=True)) or "–"
