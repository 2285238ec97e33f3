"""Gives usage, created and model to the chat endpoint only.

misunderstood: the older endpoint has only its choices
seen in: an ordinary slip
task: 1.3
check: test_text_answer
"""

_answer_body = answer_body


def answer_body(endpoint, uid, model, done):
    got = _answer_body(endpoint, uid, model, done)
    return got if endpoint is CHAT else {k: got[k] for k in ("id", "object", "choices")}
