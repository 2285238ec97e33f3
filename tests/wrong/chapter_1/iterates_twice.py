"""Walks over the replies once for the text and once for the tokens.

misunderstood: an iterable can be walked over as often as one likes
seen in: an ordinary slip
task: 1.3
check: test_usage_counts_tokens
"""


def collect(replies, prompt_tokens):
    text = "".join(reply.text for reply in replies)
    tokens, reason = 0, "stop"
    for reply in replies:
        tokens += reply.tokens
        reason = reply.finish_reason
    return Completion(text, reason, prompt_tokens, tokens)
