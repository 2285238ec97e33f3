"""Takes every line that is no comment for data.

misunderstood: there are no other fields
seen in: an ordinary slip
task: 4.4
check: test_other_fields
"""


class EventParser(EventParser):
    def _line(self, line):
        if not line.startswith(":"):
            self.data.append(line.partition(":")[2].removeprefix(" "))
