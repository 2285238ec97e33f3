"""Leaves out any white space after the colon.

misunderstood: any white space may stand after the colon
seen in: an ordinary slip
task: 4.4
check: test_spaces
"""


class EventParser(EventParser):
    def _line(self, line):
        super()._line(re.sub(r"^data:\s", "data:", line))
