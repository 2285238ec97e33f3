"""Decodes signs alone, and words with their context.

misunderstood: only words have a space in front of them
seen in: an ordinary slip
task: 4.1
check: test_spaces
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        alone = self.decode([token])
        if self.before and not self.held and alone.isascii() and alone and not alone[0].isalnum():
            self.before = [token]
            return alone
        return super().push(token)
