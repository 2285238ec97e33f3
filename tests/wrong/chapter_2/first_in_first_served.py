"""Gives replies to the oldest request until that is finished.

misunderstood: the model works on one request at a time
seen in: an ordinary slip
task: 2.3
check: test_every_interleaving
"""


class Registry(Registry):
    def deliver(self, reply):
        waiting = [state for state in self.live.values() if not state.finished]
        if reply.uid not in self.live or not waiting:
            self.discarded += 1
            return False
        waiting[0].apply(reply)
        return True
