"""Asks for forgiveness: a KeyError is how an unknown owner shows."""

from . import ids, state


class Registry:
    def __init__(self, new_state=state.RequestState):
        self.live, self.discarded, self._make = {}, 0, new_state

    def open(self):
        uid = ids.new_uid()
        while uid in self.live:
            uid = ids.new_uid()
        return self.live.setdefault(uid, self._make(uid))

    def _owner(self, uid):
        try:
            owner = self.live[uid]
        except KeyError:
            return None
        return None if owner.finished else owner

    def deliver(self, reply):
        owner = self._owner(reply.uid)
        if owner is not None:
            owner.apply(reply)
        else:
            self.discarded += 1
        return owner is not None

    def close(self, uid):
        try:
            del self.live[uid]
        except KeyError:
            pass
