"""Compares how much was computed, and not what for.

misunderstood: equal work means an equal question
seen in: an ordinary slip
task: 1.5
check: test_rejects_a_memory_for_conversations
"""

from dataclasses import replace

_violations = violations


def violations(exchanges):
    return _violations([replace(e, prompts=tuple(() for _ in e.prompts)) for e in exchanges])
