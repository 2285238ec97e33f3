"""Gives the beginning of the stop string at the end.

misunderstood: `flush` is for all that was held back
seen in: an ordinary slip
task: 4.2
check: test_stop_over_several_texts
"""


class StopStrings(StopStrings):
    kept = ""

    def feed(self, text):
        held = self.held
        shown = super().feed(text)
        self.kept = self.kept or (held if self.stopped else "")
        return shown

    def flush(self):
        return self.kept or super().flush()
