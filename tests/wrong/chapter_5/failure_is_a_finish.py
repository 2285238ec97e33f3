"""Says "finished" however it ended.

misunderstood: the last reply is the last reply
seen in: an ordinary slip
task: 5.4
check: test_the_last_reply_ends_the_life
"""


class LiveMailbox(LiveMailbox):
    def apply(self, reply):
        Mailbox.apply(self, reply)
        if reply.last:
            self.life.end("finished")
