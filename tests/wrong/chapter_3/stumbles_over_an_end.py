"""Raises KeyError for an end of a request that was never admitted.

misunderstood: what is not judged does not come
seen in: an ordinary slip
task: 3.5
check: test_ended_once
"""

_violations = violations


def violations(moments):
    running = {}
    for moment in moments:
        if moment.kind == "admitted":
            running[moment.uid] = 0
        elif moment.kind == "ended":
            running[moment.uid] += 1
    return _violations(moments)
