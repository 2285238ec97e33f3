"""Keeps what is held back in a global.

misunderstood: the worker computes one answer at a time
seen in: an ordinary slip
task: 4.2
check: test_two_answers
"""

HELD = ""


class StopStrings(StopStrings):
    def feed(self, text):
        global HELD
        self.held = HELD
        shown = super().feed(text)
        HELD = self.held
        return shown
