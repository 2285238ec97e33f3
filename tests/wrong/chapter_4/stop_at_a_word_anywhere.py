"""Strips the line ends of stop strings.

misunderstood: the word is what counts, not its place in the line
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""


class StopStrings(StopStrings):
    def __init__(self, stop=()):
        super().__init__([s.strip("\n") or s for s in stop])
