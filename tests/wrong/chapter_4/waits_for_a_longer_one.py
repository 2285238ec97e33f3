"""Goes on after a stop string while one that began earlier may still become complete.

misunderstood: the longest stop string counts, so one waits for a longer one
seen in: an ordinary slip
task: 4.2
check: test_several_stop_strings
"""


class StopStrings(StopStrings):
    def feed(self, text):
        if self.stopped:
            return ""
        text = self.held + text
        found = [at for at in map(text.find, self.stop) if at >= 0]
        begun = [len(text) - n for s in self.stop for n in range(1, len(s)) if text.endswith(s[:n])]
        self.stopped = bool(found) and min(found) <= min(begun, default=len(text))
        end = min([*found, *begun], default=len(text))
        self.held = "" if self.stopped else text[end:]
        return text[:end]
