"""Forgets what was held back when it was no stop string after all.

misunderstood: what was held back once is part of a stop string
seen in: an ordinary slip
task: 4.2
check: test_false_alarm
"""


class StopStrings(StopStrings):
    def feed(self, text):
        held, shown = self.held, super().feed(text)
        return shown.removeprefix(held)
