"""Drops a stop string that another one begins with.

misunderstood: the longer one covers the shorter
seen in: an ordinary slip
task: 4.2
check: test_every_way_to_cut
"""


class StopStrings(StopStrings):
    def __init__(self, stop=()):
        super().__init__([s for s in stop if not any(o != s and o.startswith(s) for o in stop)])
