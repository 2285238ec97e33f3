"""Decodes each read by itself.

misunderstood: the network does not cut characters
seen in: an ordinary slip
task: 4.4
check: test_every_place_to_cut
"""


class EventParser(EventParser):
    def feed(self, received):
        text = received.decode("utf-8-sig", "replace")
        return super().feed(text.encode())
