"""Counts a reply as late whose state raised.

misunderstood: deliver never raises
seen in: an ordinary slip
task: 2.3
check: test_new_state
"""


class Registry(Registry):
    def deliver(self, reply):
        try:
            return super().deliver(reply)
        except Exception:
            self.discarded += 1
            return False
