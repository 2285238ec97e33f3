"""Keeps all clean-ups in one list, in the class.

misunderstood: a list in the class body is every object's own
seen in: an ordinary slip
task: 5.1
check: test_two_lives
"""


class Life(Life):
    cleanups = []

    def __init__(self):
        self.ending = None
