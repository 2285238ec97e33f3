"""Uses utcnow().timestamp(), which is off by the time zone everywhere but in UTC.

misunderstood: utcnow() knows that it is UTC
seen in: an ordinary slip
task: 1.3
check: test_created
"""

from datetime import datetime

_answer_body = answer_body


def answer_body(endpoint, uid, model, done):
    now = int(datetime.utcnow().timestamp())
    return _answer_body(endpoint, uid, model, done) | {"created": now}
