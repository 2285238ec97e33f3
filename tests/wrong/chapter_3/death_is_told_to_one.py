"""Tells the first who waits that the worker is dead.

misunderstood: a worker dies of one request
seen in: vllm#36451
task: 3.4
check: test_a_dead_worker_reaches_every_waiter
"""


class Backend(Backend):
    def died(self, why):
        self.dead = why
        for uid in list(self.registry.live)[:1]:
            self.registry.deliver(Reply(uid, error=Failure("server_error", why)))
