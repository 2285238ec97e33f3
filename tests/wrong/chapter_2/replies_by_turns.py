"""Delivers each reply to the next request in turn.

misunderstood: replies come back in the order in which requests were made
seen in: an ordinary slip
task: 2.5
file: registry.py
check: test_your_own_server
"""


class Registry(Registry):
    def deliver(self, reply):
        for uid, state in self.live.items():
            if not state.finished:
                self.live[uid] = self.live.pop(uid)
                state.apply(reply)
                return True
        self.discarded += 1
        return False
