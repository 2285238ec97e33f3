"""Puts the `try` around the loop over the replies.

misunderstood: where an exception is caught makes no difference
seen in: ray#41199
task: 3.3
check: test_nothing_stops_the_listener
"""


class Listener(Listener):
    def deliver(self, replies):
        try:
            for reply in replies:
                self.registry.deliver(reply)
        except Exception:
            log.exception("replies could not be delivered")
