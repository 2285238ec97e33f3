"""A dataclass whose list is made by its factory."""

from dataclasses import dataclass, field


@dataclass(eq=False)
class RequestState:
    uid: str
    replies: list = field(default_factory=list, init=False)

    def apply(self, reply):
        self.replies += (reply,)

    @property
    def finished(self):
        return next((True for reply in reversed(self.replies) if reply.last), False)
