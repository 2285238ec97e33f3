"""Cuts the stop string out and goes on.

misunderstood: a stop string is text that is not wanted
seen in: an ordinary slip
task: 4.2
check: test_stop_within_one_text
"""


class StopStrings(StopStrings):
    def feed(self, text):
        shown = super().feed(text)
        self.stopped = False
        return shown
