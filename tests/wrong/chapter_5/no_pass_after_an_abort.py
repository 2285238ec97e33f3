"""Allows no pass at all after an abort.

misunderstood: an abort takes effect when it is asked for
seen in: an ordinary slip
task: 5.5
check: test_one_more_pass
"""

_violations = violations


def violations(moments):
    found, gone = _violations(moments), set()
    for moment in moments:
        if moment.kind == "abort asked":
            gone.add(moment.uid)
        elif moment.kind == "pass" and moment.uid in gone:
            found.append(f"{moment.uid}: a pass after its abort")
    return found
