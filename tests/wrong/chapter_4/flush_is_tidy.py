"""Strips the text that flush gives.

misunderstood: white space at the end of an answer means nothing
seen in: an ordinary slip
task: 4.2
check: test_stop_strings_as_they_are
"""


class StopStrings(StopStrings):
    def flush(self):
        return super().flush().strip()
