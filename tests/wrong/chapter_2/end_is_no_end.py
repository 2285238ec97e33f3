"""Expects all that carries the uid, to the end of the tape.

misunderstood: nothing comes after a last reply
seen in: an ordinary slip
task: 2.5
check: test_not_due
"""


def violations(tape, opened, given):
    found = [f"{uid} was not open" for uid in given if given[uid] and uid not in opened]
    for uid in opened:
        if list(given.get(uid, ())) != [reply for reply in tape if reply.uid == uid]:
            found.append(f"{uid}: not what was due")
    return found
