"""Takes a CR and an LF in two reads for two line ends.

misunderstood: a read does not end between CR and LF
seen in: an ordinary slip
task: 4.4
check: test_every_place_to_cut
"""


class EventParser(EventParser):
    def feed(self, received):
        self.after_cr = False
        return super().feed(received)
