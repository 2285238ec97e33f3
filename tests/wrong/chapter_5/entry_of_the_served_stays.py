"""Forgets only what was aborted.

misunderstood: cleaning up is for what went wrong
seen in: an ordinary slip
task: 5.4
check: test_no_abort_after_the_end
"""


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        if mailbox.life.end("aborted"):
            self.send(Abort(mailbox.uid))
            Backend.release(self, mailbox)
