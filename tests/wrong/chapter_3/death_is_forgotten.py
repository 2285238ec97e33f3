"""Tells those who wait, and goes on taking requests.

misunderstood: an error is over when it has been reported
seen in: vllm#39863, whose /health says 200
task: 3.4
check: test_nobody_is_given_to_a_dead_worker
"""


class Backend(Backend):
    def died(self, why):
        super().died(why)
        self.dead = None
