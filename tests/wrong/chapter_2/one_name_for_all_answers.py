"""Answers under the id that the client sent, so that two answers share one.

misunderstood: an id that came along is as good as one of our own
seen in: vllm#10583
task: 2.5
file: ids.py
check: test_your_own_server
"""

import contextvars

sent, _new_uid, _client_id = contextvars.ContextVar("sent", default=""), new_uid, client_id


def new_uid():
    return sent.get() or _new_uid()


def client_id(headers):
    sent.set(_client_id(headers))
    return sent.get()
