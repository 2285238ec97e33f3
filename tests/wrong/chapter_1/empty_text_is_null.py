"""Gives null where the model said nothing.

misunderstood: no text is no content (clients do `.content.strip()`)
seen in: an ordinary slip
task: 1.3
check: test_empty_answer
"""

_answer_body = answer_body


def answer_body(endpoint, uid, model, done):
    got = _answer_body(endpoint, uid, model, done)
    if not done.text:
        choice = got["choices"][0]
        if endpoint is CHAT:
            choice["message"]["content"] = None
        else:
            choice["text"] = None
    return got
