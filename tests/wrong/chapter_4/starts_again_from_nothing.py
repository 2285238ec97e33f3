"""Compares letter by letter and, at a difference, starts again behind it.

misunderstood: a failed match holds no beginning of another
seen in: an ordinary slip
task: 4.2
check: test_every_way_to_cut
"""


class StopStrings(StopStrings):
    def feed(self, text):
        shown = ""
        for letter in "" if self.stopped else text:
            if not self.stop:
                shown += letter
                continue
            near = [s for s in self.stop if s.startswith(self.held + letter)]
            if any(s == self.held + letter for s in near):
                self.stopped, self.held = True, ""
                return shown
            if near:
                self.held += letter
            else:
                again = any(s.startswith(letter) for s in self.stop)
                shown += self.held + ("" if again else letter)
                self.held = letter if again else ""
        return shown
