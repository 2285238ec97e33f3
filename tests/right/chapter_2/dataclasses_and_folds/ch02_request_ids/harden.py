"""The tape is sorted into heaps, each closed by its last reply; then heaps are compared."""

from functools import reduce


def _onto(heap, reply):
    return heap if heap and heap[-1].last else [*heap, reply]


def violations(tape, opened, given):
    heaps = {
        uid: reduce(_onto, (reply for reply in tape if reply.uid == uid), []) for uid in opened
    }
    got = {uid: [*replies] for uid, replies in given.items()}
    return [
        f"{uid}: got {got.get(uid, [])}, expected {heaps.get(uid, [])}"
        for uid in heaps | got
        if got.get(uid, []) != heaps.get(uid, [])
    ]
