"""Looks for the owner itself, and raises if it has left.

misunderstood: every reply has an owner
seen in: LitServe#653
task: 3.3
check: test_the_listener_hands_over
"""


class Listener(Listener):
    def deliver(self, replies):
        for reply in replies:
            self.registry.deliver(reply) or self.registry.live[reply.uid]
