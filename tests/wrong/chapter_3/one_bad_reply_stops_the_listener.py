"""Lets an exception out of the loop over the replies.

misunderstood: an error should be seen, so it is raised
seen in: LitServe#653
task: 3.3
check: test_nothing_stops_the_listener
"""


class Listener(Listener):
    def deliver(self, replies):
        for reply in replies:
            self.registry.deliver(reply)
