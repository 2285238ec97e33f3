"""Ends the life when the last reply is taken, not when it comes.

misunderstood: a reply counts when somebody has read it
seen in: an ordinary slip
task: 5.4
check: test_both_in_one_turn_of_the_loop
"""


class LiveMailbox(LiveMailbox):
    def apply(self, reply):
        Mailbox.apply(self, reply)

    async def take(self):
        replies = await super().take()
        if replies[-1].last:
            self.life.end("failed" if replies[-1].error else "finished")
        return replies
