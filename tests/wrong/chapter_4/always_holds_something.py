"""Always holds back as much as a stop string is long.

misunderstood: any end may become a stop string
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
        keep = min(len(text), max(map(len, self.stop), default=1) - 1)
        self.held = text[len(text) - keep :]
        return text[: len(text) - keep]
