"""Fills usage with zeros.

misunderstood: usage is there for the shape
seen in: mini-sglang#126, and teaching servers
task: 1.3
check: test_chat_answer
"""


def usage(prompt_tokens, completion_tokens):
    return {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
