"""A dataclass again; what happens to a reply is counted, both ways."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from chapters.ch02_request_ids import ids
from chapters.ch02_request_ids.state import RequestState


@dataclass
class Registry:
    new_state: Callable = RequestState
    live: dict = field(default_factory=dict, init=False)
    outcomes: Counter = field(default_factory=Counter, init=False)

    @property
    def discarded(self):
        return self.outcomes[False]

    def open(self):
        made = self.new_state(ids.new_uid())
        self.live.update({made.uid: made})
        return made

    def deliver(self, reply):
        due = reply.uid in self.live and not self.live[reply.uid].finished
        self.outcomes[due] += 1
        if due:
            self.live[reply.uid].apply(reply)
        return due

    def close(self, uid):
        if uid in self.live:
            del self.live[uid]
