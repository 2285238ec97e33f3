"""Does not look whether the abort was sent already.

misunderstood: release is called once
seen in: an ordinary slip
task: 5.4
check: test_one_abort
"""


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        mailbox.life.end("aborted")
        if mailbox.life.ending == "aborted":
            self.send(Abort(mailbox.uid))
        Backend.release(self, mailbox)
