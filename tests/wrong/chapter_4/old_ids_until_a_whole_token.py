"""Forgets old ids only where a token is text by itself.

misunderstood: sooner or later a token comes that is text alone
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
        alone = self.decode([token])
        if not new and self.shown:
            self.held.pop()
        elif alone.strip() and HALF not in alone:
            self.held, self.shown = [token], alone
        return new

    def flush(self):
        return self.decode(self.held)[len(self.shown) :]
