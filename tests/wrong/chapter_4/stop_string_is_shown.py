"""Shows the stop string too.

misunderstood: the text ends after the stop string
seen in: an ordinary slip
task: 4.2
check: test_stop_within_one_text
"""


class StopStrings(StopStrings):
    def feed(self, text):
        held, was = self.held, self.stopped
        shown = super().feed(text)
        if self.stopped and not was:
            return (
                next(s for s in map((held + text).partition, self.stop) if s[1])[0] + self.stop[0]
            )
        return shown
