"""Keeps the open requests in a variable of the module.

misunderstood: a process has one registry
seen in: an ordinary slip
task: 2.3
check: test_registries_share_nothing
"""

everybody = {}


class Registry(Registry):
    def __init__(self, new_state=RequestState):
        super().__init__(new_state)
        self.live = everybody
