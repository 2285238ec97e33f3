"""Forgets the ids in front of a full stop.

misunderstood: a sentence does not depend on the one before
seen in: an ordinary slip
task: 4.1
check: test_spaces
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        new = super().push(token)
        if new.endswith((".", "!", "?")):
            self.before = []
        return new
