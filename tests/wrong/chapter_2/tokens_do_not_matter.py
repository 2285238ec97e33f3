"""Compares all of a reply but its tokens.

misunderstood: a reply is its text and its end
seen in: an ordinary slip
task: 2.5
check: test_other_right_dispatchers
"""

from dataclasses import replace

_violations = violations


def violations(tape, opened, given):
    def uncounted(replies):
        return [replace(reply, tokens=0) for reply in replies]

    return _violations(uncounted(tape), opened, {u: uncounted(r) for u, r in given.items()})
