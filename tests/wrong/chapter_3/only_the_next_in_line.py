"""Watches only whether the next in line gets its token.

misunderstood: if each waits for the next, all wait for all
seen in: an ordinary slip
task: 3.5
check: test_fair_and_starved
"""


def violations(moments):
    found = []
    waiting = {}
    for moment in moments:
        uid = moment.uid
        if moment.kind == "admitted":
            waiting[uid] = set()
        elif uid not in waiting:
            found.append(f"{uid}: {moment.kind} while it was not running")
        elif moment.kind == "token":
            if waiting[uid]:
                found.append(f"{uid} had two tokens")
            for others in waiting.values():
                others.discard(uid)
            line = [*waiting, *waiting]
            waiting[uid] = {line[line.index(uid) + 1]} - {uid}
        else:
            del waiting[uid]
            for others in waiting.values():
                others.discard(uid)
    return found + [f"{uid} never ended" for uid in waiting]
