"""Forgets the data lines in front of a comment.

misunderstood: a comment stands between events
seen in: an ordinary slip
task: 4.4
check: test_several_data_lines
"""


class EventParser(EventParser):
    def _line(self, line):
        if line.startswith(":"):
            self.data.clear()
        super()._line(line)
