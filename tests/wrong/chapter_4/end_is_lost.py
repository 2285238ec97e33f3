"""Has nothing to say at the end.

misunderstood: what is held back at the end is a stop string
seen in: an ordinary slip
task: 4.2
check: test_flush
"""


class StopStrings(StopStrings):
    def flush(self):
        return ""
