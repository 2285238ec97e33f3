"""Forgets every id that has no text, also where nothing was shown yet.

misunderstood: an id whose text is empty is no part of the text
seen in: an ordinary slip
task: 4.1
check: test_spaces
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        new = super().push(token)
        if not self.flush():
            self.held = []
        return new
