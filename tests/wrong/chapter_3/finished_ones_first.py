"""Puts the last replies in front, so that their clients wait less.

misunderstood: order matters only for the last reply
seen in: an ordinary slip
task: 3.2
check: test_one_wake_up_a_turn
"""


class Bridge(Bridge):
    def post(self, replies):
        super().post(sorted(replies, key=lambda reply: (not reply.last, reply.uid)))
