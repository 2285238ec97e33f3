"""A fold: each request's story so far is a frozen value, each moment makes the next one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


@dataclass(frozen=True, slots=True)
class Story:
    opened: int = 0
    closed: int = 0
    outside: int = 0  # moments of the HTTP side before "opened" or after "closed"
    last_replies: int = 0
    aborts: int = 0
    passes: int = 0
    late_passes: int = 0  # since the abort
    freed: int = 0
    homeless_passes: int = 0  # since the KV cache was freed

    def then(self, kind: str) -> Story:
        inside = self.opened > 0 and self.closed == 0
        outside = self.outside + (not inside)
        match kind:
            case "opened":
                return replace(self, opened=self.opened + 1)
            case "closed":
                return replace(self, closed=self.closed + 1, outside=outside)
            case "last reply":
                return replace(self, last_replies=self.last_replies + 1, outside=outside)
            case "abort asked":
                return replace(self, aborts=self.aborts + 1, outside=outside)
            case "kv freed":
                return replace(self, freed=self.freed + 1)
            case "pass":
                return replace(
                    self,
                    passes=self.passes + 1,
                    late_passes=self.late_passes + (self.aborts > 0),
                    homeless_passes=self.homeless_passes + (self.freed > 0),
                )
        return self

    def faults(self) -> Iterator[str]:
        if (self.opened, self.closed, self.outside) != (1, 1, 0):
            yield "was not opened once, then closed once, with its HTTP side in between"
        if self.last_replies + self.aborts != 1:
            yield f"ended by {self.last_replies} last replies and {self.aborts} aborts, not by one"
        if self.late_passes > 1:
            yield f"had {self.late_passes} passes begin after its abort, more than one"
        if self.passes and (self.freed, self.homeless_passes) != (1, 0):
            yield f"had its KV cache freed {self.freed} times, or not after its last pass"


def tell(stories: dict[str, Story], moment: Moment) -> dict[str, Story]:
    return stories | {moment.uid: stories.get(moment.uid, Story()).then(moment.kind)}


def violations(moments: Sequence[Moment]) -> list[str]:
    stories = reduce(tell, moments, {})
    return [f"{uid} {fault}." for uid, story in stories.items() for fault in story.faults()]
