"""Keeps the life in the class.

misunderstood: an attribute in the class body is every object's own
seen in: an ordinary slip
task: 5.4
check: test_it_is_still_a_mailbox
"""


class LiveMailbox(LiveMailbox):
    life = Life()

    def __init__(self, uid):
        Mailbox.__init__(self, uid)
