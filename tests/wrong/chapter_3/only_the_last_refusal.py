"""Keeps only the refusal that came last.

misunderstood: one message, one refusal, one turn
seen in: an ordinary slip
task: 3.1
check: test_a_refusal_is_a_reply
"""


class Turns(Turns):
    def receive(self, message):
        before = self.refused
        self.refused = []
        super().receive(message)
        self.refused = self.refused or before
