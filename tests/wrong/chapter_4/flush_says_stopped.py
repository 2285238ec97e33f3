"""Says after flush that it has stopped.

misunderstood: the end of the text is a stop as well
seen in: mini-sglang#126
task: 4.2
check: test_flush
"""


class StopStrings(StopStrings):
    def flush(self):
        self.stopped = True
        return super().flush()
