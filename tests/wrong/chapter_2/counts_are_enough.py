"""Counts what each owner was given.

misunderstood: the right number of replies is the right replies
seen in: an ordinary slip
task: 2.5
check: test_wrong_owner
"""


def violations(tape, opened, given):
    found = []
    for uid in opened:
        due = []
        for reply in tape:
            if reply.uid == uid and not (due and due[-1].last):
                due.append(reply)
        mine = list(given.get(uid, ()))
        if len(mine) != len(due):
            found.append(f"{uid}: not what was due")
    return found + [f"{uid} was not open" for uid in given if given[uid] and uid not in opened]
