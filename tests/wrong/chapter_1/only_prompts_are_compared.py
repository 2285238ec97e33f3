"""Compares the prompts of equal requests, and not the passes.

misunderstood: what the model was given decides all that it does
seen in: an ordinary slip
task: 1.5
check: test_rejects_a_memory_for_settings
"""

from dataclasses import replace

_violations = violations


def violations(exchanges):
    level = [replace(e, passes=1) if e.status == 200 else e for e in exchanges]
    return _violations(level)
