"""Holds text back while it has U+FFFD anywhere.

misunderstood: every half character becomes whole in the end
seen in: an ordinary slip
task: 4.1
check: test_bytes_that_are_no_text
"""


class IncrementalText(IncrementalText):
    def __init__(self, decode):
        super().__init__(decode)
        self.all, self.length = [], 0

    def push(self, token):
        self.all.append(token)
        text = self.decode(self.all)
        if HALF in text:
            return ""
        new, self.length = text[self.length :], len(text)
        return new

    def flush(self):
        return self.decode(self.all)[self.length :]
