"""Makes a dict of the headers.

misunderstood: a request has each header once, so a dict will do (of two it keeps the last)
seen in: many an ASGI layer, as `dict(scope["headers"])`
task: 2.1
check: test_client_id_is_kept
"""

_client_id = client_id


def client_id(headers):
    return _client_id(list(dict(headers).items()))
