"""Makes an id only where the header is absent.

misunderstood: a header that is there says something
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_made
"""

_client_id = client_id


def client_id(headers):
    return "" if (HEADER, b"") in headers else _client_id(headers)
