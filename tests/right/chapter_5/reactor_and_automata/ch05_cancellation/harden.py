"""A finite automaton for each promise; each request runs through all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


@dataclass(frozen=True)
class Automaton:
    """states: state → what it becomes by which kind; kinds that no state names do not matter,
    and one that this state does not name breaks the promise. ends: where a request may stop."""

    promise: str
    start: str
    states: Mapping[str, Mapping[str, str]]
    ends: frozenset[str]

    def accepts(self, kinds: Sequence[str]) -> bool:
        matters = {kind for steps in self.states.values() for kind in steps}
        state = self.start
        for kind in kinds:
            if kind in matters:
                state = self.states[state].get(kind)
                if state is None:
                    return False
        return state in self.ends


AUTOMATA = [
    Automaton(
        "it was not opened once, closed once, with all of its HTTP side in between",
        "new",
        {
            "new": {"opened": "open"},
            "open": {"last reply": "open", "abort asked": "open", "closed": "closed"},
            "closed": {},
        },
        frozenset({"closed"}),
    ),
    Automaton(
        "it did not end exactly once, by its last reply or by one abort",
        "going",
        {"going": {"last reply": "ended", "abort asked": "ended"}, "ended": {}},
        frozenset({"ended"}),
    ),
    Automaton(
        "more than one pass began after its abort",
        "wanted",
        {
            "wanted": {"pass": "wanted", "abort asked": "aborted"},
            "aborted": {"pass": "one more", "abort asked": "aborted"},
            "one more": {"abort asked": "one more"},
        },
        frozenset({"wanted", "aborted", "one more"}),
    ),
    Automaton(
        "its KV cache was not freed exactly once, after its last pass",
        "nothing",
        {
            "nothing": {"pass": "held", "kv freed": "never held"},
            "never held": {"kv freed": "never held"},
            "held": {"pass": "held", "kv freed": "freed"},
            "freed": {},
        },
        frozenset({"nothing", "never held", "freed"}),
    ),
]


def violations(moments: Sequence[Moment]) -> list[str]:
    requests: dict[str, list[str]] = defaultdict(list)
    for moment in moments:
        requests[moment.uid].append(moment.kind)
    return [
        f"{uid}: {automaton.promise}."
        for uid, kinds in requests.items()
        for automaton in AUTOMATA
        if not automaton.accepts(kinds)
    ]
