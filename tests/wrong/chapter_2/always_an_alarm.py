"""Finds something wrong in every run.

misunderstood: an alarm too many does no harm
seen in: an ordinary slip
task: 2.5
check: test_every_interleaving
"""


def violations(tape, opened, given):
    return [f"{len(tape)} replies look suspicious"]
