"""Keeps the running requests in a dict of the class.

misunderstood: what stands in a class body is made for each object
seen in: an ordinary slip
task: 3.1
check: test_busy
"""


class Turns(Turns):
    everyone = {}

    def __init__(self, core, new_text=WholeText):
        super().__init__(core, new_text)
        self.running = self.everyone
