"""Strips the spaces around the client's id.

misunderstood: spaces at the ends are noise
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_kept
"""

_client_id = client_id


def client_id(headers):
    return _client_id(headers).strip()
