"""Forgets on the happy path only.

misunderstood: sending cannot fail
seen in: an ordinary slip
task: 5.4
check: test_forgotten_in_any_case
"""


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        if mailbox.life.end("aborted"):
            self.send(Abort(mailbox.uid))
        Backend.release(self, mailbox)
