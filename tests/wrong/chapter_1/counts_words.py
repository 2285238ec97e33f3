"""Counts the words of the text.

misunderstood: tokens are words
seen in: an ordinary slip
task: 1.3
check: test_usage_counts_tokens
"""

_collect = collect


def collect(replies, prompt_tokens):
    done = _collect(replies, prompt_tokens)
    return Completion(done.text, done.finish_reason, prompt_tokens, len(done.text.split()))
