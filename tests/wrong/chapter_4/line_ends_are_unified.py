"""Writes LF for each CR LF.

misunderstood: line ends all mean the same
seen in: an ordinary slip
task: 4.1
check: test_spaces
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        return super().push(token).replace("\r\n", "\n")
