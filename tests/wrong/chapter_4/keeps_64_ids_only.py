"""Never keeps more than 64 ids.

misunderstood: at most 64 at once, whatever waits
seen in: an ordinary slip
task: 4.1
check: test_a_long_wait
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        new = super().push(token)
        self.held = self.held[-(63 - len(self.before)) :]
        return new
