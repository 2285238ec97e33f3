"""Waits until there is text enough to be worth an event.

misunderstood: fewer and larger events are better
seen in: an ordinary slip
task: 4.5
file: text.py
check: test_your_own_server
"""


class IncrementalText(IncrementalText):
    piled = ""

    def push(self, token):
        self.piled += super().push(token)
        return "" if len(self.piled) < 16 else self.flush_pile()

    def flush_pile(self):
        text, self.piled = self.piled, ""
        return text

    def flush(self):
        return self.flush_pile() + super().flush()
