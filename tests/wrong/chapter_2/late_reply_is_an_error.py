"""Looks the owner up with `[…]`.

misunderstood: every reply has an owner
seen in: LitServe#653
task: 2.3
check: test_unknown_reply
"""


class Registry(Registry):
    def deliver(self, reply):
        self.live[reply.uid].apply(reply)
        return True
