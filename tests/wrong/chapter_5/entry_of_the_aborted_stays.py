"""Forgets only what has ended by itself.

misunderstood: the worker will forget what was aborted
seen in: LitServe#683
task: 5.4
check: test_one_abort
"""


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        if mailbox.life.end("aborted"):
            self.send(Abort(mailbox.uid))
        else:
            Backend.release(self, mailbox)
