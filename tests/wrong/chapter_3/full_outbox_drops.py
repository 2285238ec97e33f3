"""Drops replies when 64 posts are waiting for the loop.

misunderstood: bounded is safe
seen in: an ordinary slip
task: 3.2
check: test_does_not_wait_for_the_loop
"""

import queue


class Bridge(Bridge):
    def __init__(self, loop, deliver):
        super().__init__(loop, deliver)
        self.out = queue.Queue(64)

    def post(self, replies):
        if replies and not self.loop.is_closed():
            with contextlib.suppress(queue.Full):
                self.out.put_nowait(replies)
            with contextlib.suppress(RuntimeError):
                self.loop.call_soon_threadsafe(self.drain)

    def drain(self):
        while not self.out.empty():
            self.deliver(self.out.get())
