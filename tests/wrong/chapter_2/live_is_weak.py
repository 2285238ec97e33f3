"""Keeps the states in a WeakValueDictionary.

misunderstood: whom nobody else refers to has left
seen in: an ordinary slip
task: 2.3
check: test_open
"""

import weakref


class Registry(Registry):
    def __init__(self, new_state=RequestState):
        super().__init__(new_state)
        self.live = weakref.WeakValueDictionary()
