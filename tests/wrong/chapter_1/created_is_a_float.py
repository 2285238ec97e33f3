"""Gives the time with its fraction.

misunderstood: a time is a time
seen in: an ordinary slip
task: 1.3
check: test_created
"""

_answer_body = answer_body


def answer_body(endpoint, uid, model, done):
    return _answer_body(endpoint, uid, model, done) | {"created": time.time()}
