"""Looks whether the last reply is the right one.

misunderstood: who has the end has the rest
seen in: an ordinary slip
task: 2.5
check: test_lost
"""


def violations(tape, opened, given):
    found = []
    for uid in opened:
        due = []
        for reply in tape:
            if reply.uid == uid and not (due and due[-1].last):
                due.append(reply)
        mine = list(given.get(uid, ()))
        if mine[-1:] != due[-1:]:
            found.append(f"{uid}: not what was due")
    return found + [f"{uid} was not open" for uid in given if given[uid] and uid not in opened]
