"""Takes a text letter by letter, and stops at the first stop string that is complete.

misunderstood: the stop string that ends first is the one that begins first
seen in: an ordinary slip
task: 4.2
check: test_several_stop_strings
"""


class StopStrings(StopStrings):
    def feed(self, text):
        return "".join(map(super().feed, text))
