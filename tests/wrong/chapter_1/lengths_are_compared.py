"""Compares the lengths of the prompts.

misunderstood: a prompt of the same length is the same prompt
seen in: an ordinary slip
task: 1.5
check: test_rejects_a_memory_for_conversations
"""

from dataclasses import replace

_violations = violations


def violations(exchanges):
    return _violations([replace(e, prompts=tuple(len(p) for p in e.prompts)) for e in exchanges])
