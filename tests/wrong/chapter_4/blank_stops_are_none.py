"""Leaves out stop strings of white space only.

misunderstood: white space is nothing to stop at
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""


class StopStrings(StopStrings):
    def __init__(self, stop=()):
        super().__init__([s for s in stop if s.strip()])
