"""Strips the end of each line.

misunderstood: white space at a line's end is what is left of its end
seen in: an ordinary slip
task: 4.4
check: test_spaces
"""


class EventParser(EventParser):
    def _line(self, line):
        super()._line(line.rstrip())
