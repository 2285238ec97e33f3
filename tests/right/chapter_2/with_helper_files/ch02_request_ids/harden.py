"""Two dicts are made and compared."""

from chapters.ch02_request_ids.words import owed


def violations(tape, opened, given):
    due = {uid: owed(tape, uid) for uid in opened}
    return [
        f"{uid}: due {len(due.get(uid, ()))}, given {len(given.get(uid, ()))}, and not the same"
        for uid in {*due, *given}
        if due.get(uid, ()) != tuple(given.get(uid, ()))
    ]
