"""Makes a RequestState whatever it was told to make.

misunderstood: there is one kind of state
seen in: an ordinary slip
task: 2.3
check: test_new_state
"""


class Registry(Registry):
    def open(self):
        state = RequestState(new_uid())
        self.live[state.uid] = state
        return state
