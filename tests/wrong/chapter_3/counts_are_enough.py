"""Compares how many tokens each running request has had.

misunderstood: equal numbers are fair
seen in: an ordinary slip
task: 3.5
check: test_fair_and_starved
"""


def violations(moments):
    found, had = [], {}
    for moment in moments:
        if moment.kind == "admitted":
            had[moment.uid] = max(had.values(), default=0)
        elif moment.uid not in had:
            found.append(f"{moment.uid} is not running")
        elif moment.kind == "ended":
            del had[moment.uid]
        else:
            had[moment.uid] += 1
            if max(had.values()) - min(had.values()) > 1:
                found.append(f"{moment.uid} is ahead")
    return found + [f"{uid} never ended" for uid in had]
