"""Knows the first stop string only.

misunderstood: there is one
seen in: an ordinary slip
task: 4.2
check: test_several_stop_strings
"""


class StopStrings(StopStrings):
    def __init__(self, stop=()):
        super().__init__(stop[:1])
