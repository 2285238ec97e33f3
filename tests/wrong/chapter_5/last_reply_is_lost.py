"""Ends the life in the place of storing the reply.

misunderstood: the last reply only says that it is over
seen in: an ordinary slip
task: 5.4
check: test_it_is_still_a_mailbox
"""


class LiveMailbox(LiveMailbox):
    def apply(self, reply):
        if reply.last:
            self.life.end("failed" if reply.error else "finished")
        else:
            Mailbox.apply(self, reply)
