"""Strips each piece of the text.

misunderstood: spaces at the ends are noise
seen in: djl-serving#1272, mlx-lm#1754
task: 1.3
check: test_text
"""

_collect = collect


def collect(replies, prompt_tokens):
    replies = list(replies)
    done = _collect(replies, prompt_tokens)
    text = " ".join(reply.text.strip() for reply in replies if reply.text.strip())
    return Completion(text, done.finish_reason, prompt_tokens, done.completion_tokens)
