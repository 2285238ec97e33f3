"""Serves one request to its end, in a server that is otherwise fine.

misunderstood: the harder tasks pass, so the server is right
seen in: an ordinary slip
task: 3.5
check: test_your_own_server
file: turns.py
"""


class Turns(Turns):
    def turn(self):
        replies, self.refused = self.refused, []
        return replies + [self.step(uid) for uid in list(self.running)[:1]]
