"""Notes that the worker is dead, and tells none of those who wait.

misunderstood: whoever waits will find out
seen in: vllm#39863, vllm#36451
task: 3.4
check: test_a_dead_worker_reaches_every_waiter
"""


class Backend(Backend):
    def died(self, why):
        self.dead = why
