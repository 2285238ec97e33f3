"""Waits for four more ids at most, then shows the halves.

misunderstood: a character has four bytes, so it comes in four tokens at most
seen in: llama.cpp's server and others give up after some bytes
task: 4.1
check: test_a_long_wait
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        new = super().push(token)
        if not new and len(self.held) > 4:
            new = self.flush()
            self.before, self.held = (self.held, []) if new else (self.before, self.held)
        return new
