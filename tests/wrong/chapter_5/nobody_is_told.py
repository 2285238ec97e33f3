"""Ends the life and sends nothing.

misunderstood: when the HTTP side has forgotten a request, it is over
seen in: mini-sglang#15
task: 5.4
check: test_one_abort
"""


class AbortingBackend(AbortingBackend):
    def release(self, mailbox):
        mailbox.life.end("aborted")
        Backend.release(self, mailbox)
