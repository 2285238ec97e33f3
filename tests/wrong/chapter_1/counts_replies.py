"""Counts replies and calls them tokens.

misunderstood: a reply is a token
seen in: an ordinary slip
task: 1.3
check: test_usage_counts_tokens
"""

_collect = collect


def collect(replies, prompt_tokens):
    replies = list(replies)
    done = _collect(replies, prompt_tokens)
    return Completion(done.text, done.finish_reason, prompt_tokens, len(replies))
