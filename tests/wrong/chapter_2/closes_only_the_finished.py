"""Keeps a request until its last reply has come.

misunderstood: a request ends when its answer does (its client may leave before)
seen in: an ordinary slip
task: 2.3
check: test_close
"""


class Registry(Registry):
    def close(self, uid):
        if uid in self.live and self.live[uid].finished:
            del self.live[uid]
