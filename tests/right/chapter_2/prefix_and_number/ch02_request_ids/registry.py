"""The registry is itself the dict of what is live."""

from chapters.ch02_request_ids.ids import new_uid
from chapters.ch02_request_ids.state import RequestState


class Registry(dict):
    def __init__(self, new_state=RequestState):
        super().__init__()
        self.new_state, self.discarded = new_state, 0

    live = property(lambda self: self)

    def open(self):
        state = self.new_state(new_uid())
        self[state.uid] = state
        return state

    def deliver(self, reply):
        match self.get(reply.uid):
            case None:
                pass
            case state if not state.finished:
                state.apply(reply)
                return True
        self.discarded += 1
        return False

    def close(self, uid):
        self.pop(uid, None)
