"""Fills in one dict of the module, so that every answer is the last one.

misunderstood: a template may be filled in place
seen in: an ordinary slip
task: 1.3
check: test_two_answers
"""

_answer_body = answer_body
_ANSWER = {}


def answer_body(endpoint, uid, model, done):
    _ANSWER.update(_answer_body(endpoint, uid, model, done))
    return _ANSWER
