"""Hands each owner's replies over in one go, the newest first.

misunderstood: the order of replies in one turn does not matter
seen in: an ordinary slip
task: 3.3
check: test_the_listener_hands_over
"""


class Listener(Listener):
    def deliver(self, replies):
        super().deliver(sorted(replies, key=lambda reply: reply.uid)[::-1])
