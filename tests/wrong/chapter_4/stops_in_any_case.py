"""Looks for stop strings in any case.

misunderstood: END and end are the same word
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""


class StopStrings(StopStrings):
    def feed(self, text):
        if self.stopped:
            return ""
        text = self.held + text
        found = [at for stop in self.stop if (at := text.lower().find(stop.lower())) >= 0]
        self.stopped = bool(found)
        keep = max((_overlap(text.lower(), stop.lower()) for stop in self.stop), default=0)
        shown = min(found, default=len(text) - keep)
        self.held = "" if found else text[shown:]
        return text[:shown]
