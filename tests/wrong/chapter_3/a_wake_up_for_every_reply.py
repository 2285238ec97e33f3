"""Wakes the loop once for every reply.

misunderstood: each reply travels by itself
seen in: vllm#12298, one queue entry a token
task: 3.2
check: test_one_wake_up_a_turn
"""


class Bridge(Bridge):
    def post(self, replies):
        for reply in replies:
            super().post([reply])
