"""Takes a request off the list and leaves its generation open.

misunderstood: what nobody refers to any more is gone
seen in: daf_butler#1407, closed only by garbage collection
task: 3.1
check: test_drop
"""


class Turns(Turns):
    def drop(self, uid):
        self.running.pop(uid, None)
