"""Calls `new_state(uid=…)`.

misunderstood: the argument of every `new_state` has that name
seen in: an ordinary slip
task: 2.3
check: test_new_state
"""


class Registry(Registry):
    def open(self):
        state = self.new_state(uid=new_uid())
        self.live[state.uid] = state
        return state
