"""Sorts both lists before it compares them.

misunderstood: the same replies in another order are the same answer
seen in: an ordinary slip
task: 2.5
check: test_wrong_order
"""


def violations(tape, opened, given):
    found = []
    for uid in opened:
        due = []
        for reply in tape:
            if reply.uid == uid and not (due and due[-1].last):
                due.append(reply)
        mine = list(given.get(uid, ()))
        if sorted(mine, key=repr) != sorted(due, key=repr):
            found.append(f"{uid}: not what was due")
    return found + [f"{uid} was not open" for uid in given if given[uid] and uid not in opened]
