"""Counts what the HTTP side did, and looks at the first and the last of it.

misunderstood: between being opened and being closed a request ends
seen in: an ordinary slip
task: 5.5
check: test_rejects_two_endings
"""

_violations = violations


def violations(moments):
    count, seen = {}, []
    for moment in moments:
        if moment.kind not in ("pass", "kv freed"):
            count[moment.uid] = count.get(moment.uid, 0) + 1
            if count[moment.uid] == 2 and moment.kind in ("opened", "closed"):
                moment = Moment("last reply", moment.uid)
        seen.append(moment)
    return _violations(seen)
