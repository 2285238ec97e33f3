"""Shows half of a stop string before the rest arrives.

misunderstood: a stop string matters once it is complete
seen in: sglang#11462
task: 4.5
file: stops.py
check: test_your_own_server
"""


class StopStrings(StopStrings):
    seen = ""

    def feed(self, text):
        if self.stopped:
            return ""
        before, self.seen = len(self.seen), self.seen + text
        found = [at for at in map(self.seen.find, self.stop) if at >= 0]
        self.stopped = bool(found)
        return self.seen[before : min(found)] if found else text
