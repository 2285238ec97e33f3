"""Has nothing to say at the end.

misunderstood: the model ends only where a character ends
seen in: an ordinary slip
task: 4.1
check: test_flush
"""


class IncrementalText(IncrementalText):
    def flush(self):
        return ""
