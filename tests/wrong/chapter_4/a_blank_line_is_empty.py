"""Takes a line of spaces for an empty one.

misunderstood: what looks empty is empty
seen in: an ordinary slip
task: 4.4
check: test_spaces
"""


class EventParser(EventParser):
    def feed(self, received):
        return super().feed(re.sub(rb"\n +\n", rb"\n\n", received))
