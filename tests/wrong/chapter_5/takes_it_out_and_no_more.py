"""Takes the request out of the table, and closes nothing.

misunderstood: what is in no table any more is given back
seen in: daf_butler#1407
task: 5.3
check: test_a_running_request_stops
"""


class AbortableTurns(AbortableTurns):
    def drop(self, uid):
        self.running.pop(uid, None)
