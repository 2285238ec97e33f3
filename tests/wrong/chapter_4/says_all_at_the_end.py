"""Holds all text back until the end.

misunderstood: only a whole answer is sure
seen in: an ordinary slip
task: 4.1
check: test_plain_text
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        self.held.append(token)
        return ""
