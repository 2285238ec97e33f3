"""Makes up a new kind of failure for a worker that has died.

misunderstood: the kind of a failure is a free word, as long as the status comes out as 500
seen in: an ordinary slip
task: 3.4
check: test_a_dead_worker_reaches_every_waiter
"""


class Backend(Backend):
    def died(self, why):
        self.dead = why
        for uid in list(self.registry.live):
            self.registry.deliver(Reply(uid, error=Failure("worker_died", why)))
