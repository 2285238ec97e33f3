"""Returns the state without keeping it.

misunderstood: whoever has the state need not be found
seen in: an ordinary slip
task: 2.3
check: test_open
"""


class Registry(Registry):
    def open(self):
        return self.new_state(new_uid())
