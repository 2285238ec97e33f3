"""Strips every piece before it is shown.

misunderstood: white space around a text means nothing
seen in: mlx-lm#1754
task: 4.1
check: test_plain_text
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        return super().push(token).strip()
