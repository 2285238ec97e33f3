"""Judges no turn after somebody has ended.

misunderstood: it is the beginning that shows whether turns are fair
seen in: an ordinary slip
task: 3.5
check: test_fair_and_starved
"""


def violations(moments):
    found = []
    waiting = {}
    ended = set()
    for moment in moments:
        uid = moment.uid
        if moment.kind == "admitted":
            pass
            waiting[uid] = set()
        elif uid not in waiting:
            found.append(f"{uid}: {moment.kind} while it was not running")
        elif moment.kind == "token":
            if waiting[uid] and not ended:
                found.append(f"{uid} had two tokens")
            for others in waiting.values():
                others.discard(uid)
            waiting[uid] = set(waiting) - {uid}
        else:
            del waiting[uid]
            ended.add(uid)
            for others in waiting.values():
                others.discard(uid)
    return found + [f"{uid} never ended" for uid in waiting]
