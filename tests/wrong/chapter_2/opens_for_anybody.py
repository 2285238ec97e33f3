"""Makes a state for a uid that it does not know.

misunderstood: a reply is always wanted, perhaps a little later
seen in: an ordinary slip
task: 2.3
check: test_unknown_reply
"""


class Registry(Registry):
    def deliver(self, reply):
        state = self.live.setdefault(reply.uid, self.new_state(reply.uid))
        state.apply(reply)
        return True
