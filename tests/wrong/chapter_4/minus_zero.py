"""Keeps `text[-keep:]`, which for a keep of 0 is all of the text.

misunderstood: text[-0:] is empty
seen in: an ordinary slip
task: 4.2
check: test_no_stop_strings
"""


class StopStrings(StopStrings):
    def feed(self, text):
        if self.stopped:
            return ""
        text = self.held + text
        found = [at for at in map(text.find, self.stop) if at >= 0]
        if found:
            self.stopped, self.held = True, ""
            return text[: min(found)]
        keep = max((_overlap(text, stop) for stop in self.stop), default=0)
        self.held = text[-keep:]
        return text[:-keep]
