"""Forgets every open request when the worker dies.

misunderstood: nobody needs a registry without a worker
seen in: an ordinary slip
task: 3.4
check: test_a_dead_worker_reaches_every_waiter
"""


class Backend(Backend):
    def died(self, why):
        self.dead = why
        for mailbox in self.registry.live.values():
            mailbox.apply(Reply(mailbox.uid, error=Failure("server_error", why)))
        self.registry.live.clear()
