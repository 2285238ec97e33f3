"""Walks over the tape once and crosses out, reply by reply, what was given."""


def violations(tape, opened, given):
    told, ended = [], set()
    left = {uid: list(replies) for uid, replies in given.items()}
    for place, reply in enumerate(tape):
        uid = reply.uid
        if uid not in opened or uid in ended:
            continue
        if reply.last:
            ended.add(uid)
        mine = left.get(uid) or []
        if not mine or mine.pop(0) != reply:
            told.append(f"{uid} was not given reply {place} of the tape in its turn")
    return told + [f"{uid} was given {len(mine)} too many" for uid, mine in left.items() if mine]
