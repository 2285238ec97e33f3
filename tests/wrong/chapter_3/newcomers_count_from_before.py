"""Demands a token for a request that has just come.

misunderstood: whoever runs now has been running
seen in: an ordinary slip
task: 3.5
check: test_coming_and_going
"""

_violations = violations


def violations(moments):
    found, running, since = [], set(), {}
    for moment in moments:
        if moment.kind == "admitted":
            running.add(moment.uid)
        elif moment.kind == "ended":
            running.discard(moment.uid)
        else:
            if moment.uid in since and running - since[moment.uid] - {moment.uid}:
                found.append(f"{moment.uid} had two tokens")
            since[moment.uid] = set()
            for had in since.values():
                had.add(moment.uid)
    return found + _violations(moments)
