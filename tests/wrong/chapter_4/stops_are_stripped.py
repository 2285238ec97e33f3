"""Strips the stop strings.

misunderstood: white space around a stop string is a slip of the client's
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""


class StopStrings(StopStrings):
    def __init__(self, stop=()):
        super().__init__([s.strip() for s in stop if s.strip()])
