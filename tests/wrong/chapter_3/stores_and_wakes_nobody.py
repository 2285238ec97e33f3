"""Stores a reply and wakes nobody.

misunderstood: whoever waits for an event sees by itself that the store has changed
seen in: an ordinary slip
task: 3.3
check: test_a_waiter_is_woken
"""


class Mailbox(Mailbox):
    def apply(self, reply):
        self.replies.append(reply)
