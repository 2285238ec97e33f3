"""Makes the missing id in a default argument.

misunderstood: a default argument is computed in each call
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_made
"""

_client_id = client_id


def client_id(headers, made=new_uid()):  # noqa: B008
    given = any(name == HEADER and value for name, value in headers)
    return _client_id(headers) if given else made
