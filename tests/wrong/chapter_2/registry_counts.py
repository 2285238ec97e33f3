"""Numbers the requests of the process.

misunderstood: a uid must be new in its registry
seen in: an ordinary slip
task: 2.3
check: test_registries_share_nothing
"""

import itertools


class Registry(Registry):
    n = itertools.count()

    def open(self):
        state = self.new_state(f"req-{next(self.n)}")
        self.live[state.uid] = state
        return state
