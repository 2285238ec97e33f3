"""Counts a reply that cost no token as one.

misunderstood: every reply is at least one token
seen in: an ordinary slip
task: 1.3
check: test_usage_counts_tokens
"""


def collect(replies, prompt_tokens):
    text, tokens, reason = "", 0, None
    for reply in replies:
        text += reply.text
        tokens += reply.tokens or 1
        reason = reply.finish_reason
    return Completion(text, reason, prompt_tokens, tokens)
