"""Sends an abort whenever a request is released.

misunderstood: an abort too many does no harm
seen in: an ordinary slip
task: 5.4
check: test_no_abort_after_the_end
"""


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        if mailbox.uid in self.registry.live:
            mailbox.life.end("aborted")
            self.send(Abort(mailbox.uid))
        Backend.release(self, mailbox)
