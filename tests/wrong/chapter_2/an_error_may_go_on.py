"""Takes a finish reason, and no error, for the end of what is due.

misunderstood: only a finish reason is an end
seen in: an ordinary slip
task: 2.5
check: test_not_due
"""


def violations(tape, opened, given):
    found = [f"{u} not open" for u, r in given.items() if r and u not in opened]
    for uid in opened:
        due = []
        for reply in tape:
            if reply.uid == uid and not (due and due[-1].finish_reason):
                due.append(reply)
        if list(given.get(uid, ())) != due:
            found.append(f"{uid}")
    return found
