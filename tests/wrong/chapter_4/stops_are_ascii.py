"""Leaves out what is not ASCII.

misunderstood: text is ASCII
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""


class StopStrings(StopStrings):
    def feed(self, text):
        return super().feed(text.encode("ascii", "ignore").decode())
