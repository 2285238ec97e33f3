"""Answers the completions endpoint in the shape of a chat.

misunderstood: both endpoints give the same object
seen in: mini-sglang#126
task: 1.3
check: test_text_answer
"""

_answer_body = answer_body


def answer_body(endpoint, uid, model, done):
    return _answer_body(CHAT, uid, model, done)
