"""Takes each entry out of `given` to see what is left.

misunderstood: the arguments are the function's own
seen in: an ordinary slip
task: 2.5
check: test_every_interleaving
"""


def violations(tape, opened, given):
    found = []
    for uid in opened:
        due = []
        for reply in tape:
            if reply.uid == uid and not (due and due[-1].last):
                due.append(reply)
        if list(given.pop(uid, ())) != due:
            found.append(f"{uid}")
    return found + [f"{u}" for u, r in given.items() if r]
