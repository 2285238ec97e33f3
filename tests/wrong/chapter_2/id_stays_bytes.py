"""Returns the bytes of the header.

misunderstood: bytes and text are the same as long as they are ASCII
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_kept
"""

_client_id = client_id


def client_id(headers):
    return _client_id(headers).encode()
