"""Looks at the uids of what was given, and at nothing else.

misunderstood: a reply that carries my uid is mine, and all that is mine is here
seen in: an ordinary slip
task: 2.5
check: test_wrong_owner
"""


def violations(tape, opened, given):
    return [
        f"{uid} was given a reply of {reply.uid}"
        for uid, mine in given.items()
        for reply in mine
        if reply.uid != uid or uid not in opened
    ]
