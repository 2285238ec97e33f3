"""Writes the id in small letters.

misunderstood: header values are compared without regard to case, as header names are
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_kept
"""

_client_id = client_id


def client_id(headers):
    return _client_id(headers).lower()
