"""Clears the registry when one request is done.

misunderstood: whoever is done leaves the room empty
seen in: an ordinary slip
task: 3.4
check: test_released_however_it_ends
"""


class Backend(Backend):
    def release(self, mailbox):
        self.registry.live.clear()
