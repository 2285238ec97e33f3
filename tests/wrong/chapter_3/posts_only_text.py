"""Posts only replies with text, and the last ones.

misunderstood: a reply without text says nothing
seen in: an ordinary slip
task: 3.2
check: test_one_wake_up_a_turn
"""


class Bridge(Bridge):
    def post(self, replies):
        super().post([r for r in replies if r.text or r.last])
