"""Takes a request's last token for its end.

misunderstood: after the last token nobody waits
seen in: an ordinary slip
task: 3.5
check: test_fair_and_starved
"""

_violations = violations


def violations(moments):
    last = {m.uid: place for place, m in enumerate(moments) if m.kind == "token"}
    moved = []
    for place, moment in enumerate(moments):
        if moment.kind == "ended" and place > last.get(moment.uid, place):
            continue
        moved.append(moment)
        if last.get(moment.uid) == place:
            later = moments[place:]
            moved += [m for m in later if m.kind == "ended" and m.uid == moment.uid]
    return _violations(moved)
