"""Compares with `is`.

misunderstood: a reply stays the same object on its way
seen in: an ordinary slip
task: 2.5
check: test_other_right_dispatchers
"""


def violations(tape, opened, given):
    found = []
    for uid in opened:
        due = []
        for reply in tape:
            if reply.uid == uid and not (due and due[-1].last):
                due.append(reply)
        mine = list(given.get(uid, ()))
        if len(mine) != len(due) or any(m is not d for m, d in zip(mine, due, strict=True)):
            found.append(f"{uid}: not what was due")
    return found + [f"{uid} was not open" for uid in given if given[uid] and uid not in opened]
