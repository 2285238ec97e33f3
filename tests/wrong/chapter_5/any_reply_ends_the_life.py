"""Takes the first reply for the end.

misunderstood: a reply is an answer
seen in: an ordinary slip
task: 5.4
check: test_the_last_reply_ends_the_life
"""


class LiveMailbox(LiveMailbox):
    def apply(self, reply):
        Mailbox.apply(self, reply)
        self.life.end("failed" if reply.error else "finished")
