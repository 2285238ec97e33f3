"""Knows LF only.

misunderstood: all servers end their lines alike
seen in: an ordinary slip
task: 4.4
check: test_line_ends
"""


class EventParser(EventParser):
    def feed(self, received):
        *lines, self.rest = (self.rest + self.decoder.decode(received)).split("\n")
        events = []
        for line in lines:
            if line:
                self._line(line)
            elif self.data:
                events.append("\n".join(self.data))
                self.data = []
        return events
