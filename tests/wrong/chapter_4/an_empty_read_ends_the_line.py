"""Forgets in an empty read that the last one ended with CR.

misunderstood: the next read is the next bytes
seen in: an ordinary slip
task: 4.4
check: test_every_place_to_cut
"""


class EventParser(EventParser):
    def feed(self, received):
        self.after_cr = self.after_cr and bool(received)
        return super().feed(received)
