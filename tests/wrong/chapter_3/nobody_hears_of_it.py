"""Suppresses whatever is raised.

misunderstood: what is caught is mended
seen in: a bare except, an ordinary slip
task: 3.3
check: test_nothing_stops_the_listener
"""


class Listener(Listener):
    def deliver(self, replies):
        for reply in replies:
            try:
                self.registry.deliver(reply)
            except:  # noqa: E722
                continue
