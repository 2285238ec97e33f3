"""Replays the tape against cursors: each open uid has a place in what it was given."""


def violations(tape, opened, given):
    found = []
    place = {uid: 0 for uid in opened}
    running = set(opened)
    for number, reply in enumerate(tape, start=1):
        if reply.uid not in running:
            continue
        got = list(given.get(reply.uid, ()))[place[reply.uid] :][:1]
        if got != [reply]:
            found.append(f"reply {number} of the tape: {reply.uid} was given {got} for it")
        place[reply.uid] += 1
        if reply.last:
            running.remove(reply.uid)
    for uid, replies in given.items():
        for more in list(replies)[place.get(uid, 0) :]:
            found.append(f"{uid} was given {more}, which was not due to it")
    return found
