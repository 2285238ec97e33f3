"""Strips the value of a line.

misunderstood: spaces around a value mean nothing
seen in: an ordinary slip
task: 4.4
check: test_other_fields
"""


class EventParser(EventParser):
    def _line(self, line):
        name, _, value = line.partition(":")
        if name == "data":
            self.data.append(value.strip())
