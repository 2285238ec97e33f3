"""Keeps the last 63 ids while there is no text yet.

misunderstood: many ids without text are none
seen in: an ordinary slip
task: 4.1
check: test_a_long_wait
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        new = super().push(token)
        if not self.before and not self.flush():
            self.held = self.held[-63:]
        return new
