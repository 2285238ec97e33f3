"""Forgets the request, and then looks it up to abort it.

misunderstood: the order of two lines of clean-up does not matter
seen in: sglang#34894
task: 5.4
check: test_abort_first
"""


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        Backend.release(self, mailbox)
        if mailbox.uid in self.registry.live and mailbox.life.end("aborted"):
            self.send(Abort(mailbox.uid))
