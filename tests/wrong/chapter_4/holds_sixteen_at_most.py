"""Holds back 16 characters at most.

misunderstood: a stop string is a short word
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""


class StopStrings(StopStrings):
    def feed(self, text):
        text = super().feed(text)
        more, self.held = self.held[:-16], self.held[-16:]
        return text + more
