"""Takes a stop string for a pattern.

misunderstood: a dot means any character
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""

import re


class StopStrings(StopStrings):
    def __init__(self, stop=()):
        super().__init__(stop)
        self.patterns = [re.compile(s.replace("|", "[|]")) for s in stop]

    def feed(self, text):
        if self.stopped:
            return ""
        found = [m.start() for p in self.patterns if (m := p.search(self.held + text))]
        if not found:
            return super().feed(text)
        held, self.held, self.stopped = self.held, "", True
        return (held + text)[: min(found)]
