"""Wakes nobody for a reply without text.

misunderstood: only text is worth waking for
seen in: an ordinary slip
task: 3.3
check: test_a_waiter_is_woken
"""


class Mailbox(Mailbox):
    def apply(self, reply):
        RequestState.apply(self, reply)
        if reply.text or reply.last:
            self.news.set()
