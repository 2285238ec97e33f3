"""Takes the time once, when the module is imported.

misunderstood: a default is computed at each call
seen in: an ordinary slip
task: 1.3
check: test_created
"""

_answer_body = answer_body


def answer_body(endpoint, uid, model, done, now=int(time.time())):  # noqa: B008
    return _answer_body(endpoint, uid, model, done) | {"created": now}
