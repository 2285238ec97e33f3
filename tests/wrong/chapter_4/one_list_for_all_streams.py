"""Keeps the data lines in a list of the class.

misunderstood: a list in the class body is one for each parser
seen in: an ordinary slip
task: 4.4
check: test_two_streams
"""


class EventParser(EventParser):
    lines = []

    def __init__(self):
        super().__init__()
        self.data = self.lines

    def feed(self, received):
        events = super().feed(received)
        if events:
            self.data = self.lines
            self.data.clear()
        return events
