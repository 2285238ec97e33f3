"""Raises KeyError for a request that has ended by itself.

misunderstood: whoever drops a request knows that it is running
seen in: an ordinary slip
task: 3.1
check: test_drop
"""


class Turns(Turns):
    def drop(self, uid):
        self.running.pop(uid).close()
