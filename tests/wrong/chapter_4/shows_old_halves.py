"""Holds back only the last half, and shows those before it.

misunderstood: only the last of several halves can still change
seen in: an ordinary slip
task: 4.1
check: test_a_long_wait
"""


class IncrementalText(IncrementalText):
    out = 0

    def push(self, token):
        before = self.decode(self.before)
        self.held.append(token)
        new = self.decode(self.before + self.held)[len(before) :]
        sure = new.removesuffix(HALF)
        shown, self.out = sure[self.out :], max(self.out, len(sure))
        if not new.endswith(HALF):
            self.out = 0
            if new:
                self.before, self.held = self.held, []
            elif self.before:
                self.held = []
        return shown

    def flush(self):
        return super().flush()[self.out :]
