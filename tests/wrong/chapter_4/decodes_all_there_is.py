"""Decodes the whole answer again for each token.

misunderstood: decoding costs nothing
seen in: an ordinary slip
task: 4.1
check: test_a_long_answer
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        self.ids.append(token)
        text = self.decode(self.ids)
        if text.endswith(HALF):
            return ""
        new, self.shown = text[len(self.shown) :], text
        return new
