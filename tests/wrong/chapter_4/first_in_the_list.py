"""Takes the first stop string of the list that is in the text.

misunderstood: the order of the list decides
seen in: an ordinary slip
task: 4.2
check: test_several_stop_strings
"""


class StopStrings(StopStrings):
    def feed(self, text):
        held = self.held
        shown = super().feed(text)
        if self.stopped and (found := [s for s in self.stop if s in held + text]):
            return (held + text).partition(found[0])[0]
        return shown
