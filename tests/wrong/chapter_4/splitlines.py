"""Splits with `str.splitlines`.

misunderstood: a line is what Python calls a line
seen in: an ordinary slip
task: 4.4
check: test_line_ends
"""


class EventParser(EventParser):
    def feed(self, received):
        text, events = self.rest + self.decoder.decode(received), []
        lines = text.splitlines(keepends=True)
        self.rest = lines.pop() if lines and lines[-1].splitlines() == lines[-1:] else ""
        for line in lines:
            line = line.splitlines()[0]
            if line:
                self._line(line)
            elif self.data:
                events.append("\n".join(self.data))
                self.data = []
        return events
