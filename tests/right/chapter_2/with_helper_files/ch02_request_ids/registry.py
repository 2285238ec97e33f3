"""`live` is a dict that answers for the missing: nobody takes what is for nobody."""

from chapters.ch02_request_ids.state import RequestState
from chapters.ch02_request_ids.words import fresh


class _Nobody:
    finished = True


class _Live(dict):
    def __missing__(self, uid):
        return _Nobody


class Registry:
    def __init__(self, new_state=RequestState):
        self.new_state = new_state
        self.live = _Live()
        self.discarded = 0

    def open(self):
        state = self.new_state(fresh())
        self.live |= {state.uid: state}
        return state

    def deliver(self, reply):
        match self.live[reply.uid]:
            case object(finished=True):
                self.discarded += 1
                return False
            case owner:
                owner.apply(reply)
                return True

    def close(self, uid):
        self.live.pop(uid, _Nobody)
