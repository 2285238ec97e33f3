"""Keeps the ids in a list that belongs to the class.

misunderstood: what a class body creates is created for each instance
seen in: an ordinary slip
task: 4.1
check: test_two_answers
"""


class IncrementalText(IncrementalText):
    before, held = [], []

    def __init__(self, decode):
        self.decode = decode
