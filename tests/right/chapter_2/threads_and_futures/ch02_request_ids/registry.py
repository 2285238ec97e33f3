"""Every step under one lock, so that any thread may deliver."""

import threading

from chapters.ch02_request_ids.ids import new_uid
from chapters.ch02_request_ids.state import RequestState


class Registry:
    def __init__(self, new_state=RequestState):
        self.new_state = new_state
        self.live = {}
        self.discarded = 0
        self.guard = threading.RLock()

    def open(self):
        with self.guard:
            uid = new_uid()
            self.live[uid] = state = self.new_state(uid)
            return state

    def deliver(self, reply):
        with self.guard:
            if reply.uid in self.live and not self.live[reply.uid].finished:
                self.live[reply.uid].apply(reply)
                return True
            self.discarded += 1
            return False

    def close(self, uid):
        with self.guard:
            self.live = {other: state for other, state in self.live.items() if other != uid}
