"""Gives each reply to whoever waits longest.

misunderstood: replies come back in the order in which requests were made
seen in: an ordinary slip
task: 2.3
check: test_the_tape
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
