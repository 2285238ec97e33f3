"""Each request is a little machine: what may come next?"""

from dataclasses import dataclass

NEXT = {
    ("new", "opened"): "open",
    ("open", "last reply"): "ended",
    ("open", "abort asked"): "ended",
    ("ended", "closed"): "closed",
}


@dataclass(frozen=True, slots=True)
class Moment:
    kind: str
    uid: str


class Machine:
    def __init__(self):
        self.http, self.cache, self.late, self.wrong = "new", "none", None, []

    def feed(self, kind):
        if kind == "pass":
            if self.cache == "freed":
                self.wrong.append("pass after free")
            self.cache = "held" if self.cache == "none" else self.cache
            if self.late is not None:
                self.late += 1
        elif kind == "kv freed":
            if self.cache != "held":
                self.wrong.append("freed what was not held")
            self.cache = "freed"
        else:
            after = NEXT.get((self.http, kind))
            if after is None:
                self.wrong.append(f"{kind} while {self.http}")
            self.http = after or self.http
            self.late = 0 if kind == "abort asked" else self.late

    def verdict(self):
        if self.http != "closed":
            self.wrong.append(f"left {self.http}")
        if self.cache == "held":
            self.wrong.append("cache kept")
        if (self.late or 0) > 1:
            self.wrong.append("works on")
        return self.wrong


def violations(moments):
    machines = {}
    for moment in moments:
        machines.setdefault(moment.uid, Machine()).feed(moment.kind)
    return [f"{uid}: {why}" for uid, machine in machines.items() for why in machine.verdict()]
