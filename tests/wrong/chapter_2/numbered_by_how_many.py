"""Names a request by how many are open.

misunderstood: a number that is free now was never used
seen in: an ordinary slip
task: 2.3
check: test_open
"""


class Registry(Registry):
    def open(self):
        state = self.new_state(str(len(self.live)))
        self.live[state.uid] = state
        return state
