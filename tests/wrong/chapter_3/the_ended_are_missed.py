"""Goes on waiting for a token of a request that has ended.

misunderstood: whoever was running once is owed a token
seen in: an ordinary slip
task: 3.5
check: test_coming_and_going
"""

_violations = violations


def violations(moments):
    found, running, owed = [], set(), {}
    for moment in moments:
        if moment.kind == "admitted":
            running.add(moment.uid)
        elif moment.kind == "ended":
            running.discard(moment.uid)
        else:
            if owed.get(moment.uid):
                found.append(f"{moment.uid} had two tokens")
            for others in owed.values():
                others.discard(moment.uid)
            owed[moment.uid] = running - {moment.uid}
    return found + _violations(moments)
