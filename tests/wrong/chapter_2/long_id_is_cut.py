"""Cuts a long id to the limit.

misunderstood: half an id is better than an error
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_refused
"""

_client_id = client_id


def client_id(headers):
    return _client_id([(name, value[:LONGEST]) for name, value in headers])
