"""Finds a stop string over several texts, and has shown its first half by then.

misunderstood: a stop string matters once it is complete
seen in: vllm#3574
task: 4.2
check: test_stop_over_several_texts
"""


class StopStrings(StopStrings):
    seen = ""

    def feed(self, text):
        if self.stopped:
            return ""
        before, self.seen = len(self.seen), self.seen + text
        found = [at for at in map(self.seen.find, self.stop) if at >= 0]
        self.stopped = bool(found)
        return self.seen[before : min(found)] if found else text
