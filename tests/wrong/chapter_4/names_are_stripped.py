"""Strips a field's name.

misunderstood: spaces around a name mean nothing
seen in: an ordinary slip
task: 4.4
check: test_spaces
"""


class EventParser(EventParser):
    def _line(self, line):
        name, _, value = line.partition(":")
        super()._line(f"{name.strip()}:{value}")
