"""Keeps the last token as context, also one that has no text.

misunderstood: one token is always context enough
seen in: an ordinary slip
task: 4.1
check: test_tokens_without_text
"""


class IncrementalText(IncrementalText):
    last = ()

    def push(self, token):
        self.ids.append(token)
        text = self.decode([*self.last, *self.ids])
        if text.endswith(HALF):
            return ""
        new = text[len(self.decode(self.last)) :]
        self.last, self.ids = self.ids[-1:], []
        return new

    def flush(self):
        return self.decode([*self.last, *self.ids])[len(self.decode(self.last)) :]
