"""Keeps the last token as context, also one that has no text.

misunderstood: one token is always context enough
seen in: an ordinary slip
task: 4.1
check: test_tokens_without_text
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        self.held.append(token)
        text = self.decode(self.before + self.held)
        if text.endswith(HALF):
            return ""
        new = text[len(self.decode(self.before)) :]
        self.before, self.held = self.held[-1:], []
        return new
