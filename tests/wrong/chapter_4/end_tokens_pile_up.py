"""Keeps every id that has no text until the next text comes.

misunderstood: an id without text costs nothing to keep
seen in: an ordinary slip
task: 4.1
check: test_a_long_answer
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        self.held.append(token)
        new = self.flush()
        if not new or new.endswith(HALF):
            return ""
        self.before, self.held = self.held, []
        return new
