"""Decodes the whole answer again for each token.

misunderstood: decoding costs nothing
seen in: an ordinary slip
task: 4.1
check: test_a_long_answer
"""


class IncrementalText(IncrementalText):
    shown = ""

    def push(self, token):
        self.held.append(token)
        text = self.decode(self.held)
        if text.endswith(HALF):
            return ""
        new, self.shown = text[len(self.shown) :], text
        return new

    def flush(self):
        return self.decode(self.held)[len(self.shown) :]
