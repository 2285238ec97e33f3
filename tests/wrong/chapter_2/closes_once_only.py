"""Closes with `del`.

misunderstood: a request is closed once
seen in: an ordinary slip
task: 2.3
check: test_close_again
"""


class Registry(Registry):
    def close(self, uid):
        del self.live[uid]
