"""Keeps what was posted in a list, and takes from its end.

misunderstood: pop() gives what comes next, so the order of posts keeps itself
seen in: an ordinary slip
task: 3.2
check: test_does_not_wait_for_the_loop
"""


class Bridge(Bridge):
    def __init__(self, loop, deliver):
        super().__init__(loop, lambda _: deliver(self.posted.pop()))
        self.posted = []

    def post(self, replies):
        if replies:
            self.posted.append(replies)
        super().post(replies)
