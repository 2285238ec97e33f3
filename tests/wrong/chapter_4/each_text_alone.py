"""Looks for stop strings in each new text alone.

misunderstood: a stop string is a token
seen in: an ordinary slip
task: 4.2
check: test_stop_over_several_texts
"""


class StopStrings(StopStrings):
    def feed(self, text):
        if self.stopped:
            return ""
        found = [at for at in map(text.find, self.stop) if at >= 0]
        self.stopped = bool(found)
        return text[: min(found)] if found else text
