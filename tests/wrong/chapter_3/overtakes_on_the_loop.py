"""Delivers at once if it is called on the loop.

misunderstood: in the right thread there is nothing to wait for
seen in: an ordinary slip
task: 3.2
check: test_delivers_in_the_loops_thread
"""

import threading


class Bridge(Bridge):
    def __init__(self, loop, deliver):
        super().__init__(loop, deliver)
        self.thread = threading.get_ident()

    def post(self, replies):
        if not replies:
            return
        if threading.get_ident() == self.thread:
            self.deliver(replies)
        else:
            super().post(replies)
