"""Lets one request's failure kill the worker of all.

misunderstood: an exception is for whoever called
seen in: vllm#36451
task: 3.5
check: test_your_own_server
file: turns.py
"""


class Turns(Turns):
    def step(self, uid):
        reply = self.running[uid].step()
        if reply.last:
            self.drop(uid)
        return reply
