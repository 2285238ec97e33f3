"""Calls `deliver` there and then.

misunderstood: a function runs where its object lives
seen in: an ordinary slip
task: 3.2
check: test_delivers_in_the_loops_thread
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies:
            self.deliver(replies)
