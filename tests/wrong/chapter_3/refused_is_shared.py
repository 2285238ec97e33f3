"""Keeps the refused requests in a list of the class.

misunderstood: what stands in a class body is made for each object
seen in: an ordinary slip
task: 3.1
check: test_a_refusal_is_a_reply
"""


class Turns(Turns):
    said = []

    def __init__(self, core, new_text=WholeText):
        super().__init__(core, new_text)
        self.refused = self.said

    def turn(self):
        replies = list(self.refused)
        self.refused.clear()
        return replies + [self.step(uid) for uid in list(self.running)]
