"""Keeps the ids in a list that belongs to the class.

misunderstood: what a class body creates is created for each instance
seen in: an ordinary slip
task: 4.1
check: test_two_answers
"""


class IncrementalText(IncrementalText):
    waiting = []

    def __init__(self, decode):
        super().__init__(decode)
        self.ids = self.waiting

    def push(self, token):
        self.waiting.append(token)
        text = self.decode(self.waiting)
        if text.endswith(HALF):
            return ""
        new, self.shown = text[len(self.shown) :], text
        return new
