"""Looks only whether the same request has two tokens in a row.

misunderstood: unfair means twice in a row
seen in: an ordinary slip
task: 3.5
check: test_fair_and_starved
"""


def violations(moments):
    found, running, last = [], set(), None
    for moment in moments:
        if moment.kind == "admitted":
            running.add(moment.uid)
            last = None
        elif moment.uid not in running:
            found.append(f"{moment.uid} is not running")
        elif moment.kind == "ended":
            running.discard(moment.uid)
            last = None
        else:
            if moment.uid == last and len(running) > 1:
                found.append(f"{moment.uid} twice in a row")
            last = moment.uid
    return found + [f"{uid} never ended" for uid in running]
