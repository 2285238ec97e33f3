"""Schedules the delivery with `call_soon`.

misunderstood: call_soon means soon
seen in: cpython#97970
task: 3.2
check: test_wakes_the_loop
"""


class Bridge(Bridge):
    def post(self, replies):
        if replies and not self.loop.is_closed():
            self.loop.call_soon(self.deliver, replies)
