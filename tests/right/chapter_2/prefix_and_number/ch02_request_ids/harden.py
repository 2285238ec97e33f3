"""A sentence for each reply that is there and should not be, or should and is not."""

from collections import Counter


def violations(tape, opened, given):
    found, due, ended = [], {uid: [] for uid in opened}, set()
    for reply in tape:
        if reply.uid in due and reply.uid not in ended:
            due[reply.uid].append(reply)
            if reply.last:
                ended.add(reply.uid)
    for uid in {**due, **given}:
        have, want = [*given.get(uid, ())], due.get(uid, [])
        more, less = Counter(have) - Counter(want), Counter(want) - Counter(have)
        found += [f"{uid} should not have {reply}" for reply in more]
        found += [f"{uid} misses {reply}" for reply in less]
        if not more and not less and have != want:
            found.append(f"{uid} has its replies in another order")
    return found
