"""Feeds an iterator of what is due against one of what was given, for each owner."""

from itertools import chain, zip_longest


def due(tape, uid):
    for reply in tape:
        if reply.uid == uid:
            yield reply
            if reply.last:
                return


def violations(tape, opened, given):
    found = []
    for uid in dict.fromkeys(chain(opened, given)):
        owed = due(tape, uid) if uid in opened else ()
        pairs = zip_longest(owed, given.get(uid) or ())
        for number, (expected, got) in enumerate(pairs, 1):
            if expected != got:
                found.append(f"{uid}, reply {number}: {got} in place of {expected}")
    return found
