"""Refuses a request for any of several ids.

misunderstood: all headers of that name must be fine
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_kept
"""


def client_id(headers):
    got = [v.decode("latin-1") for n, v in headers if n == HEADER]
    for given in got:
        if len(given) > LONGEST or not (given.isascii() and given.isprintable()):
            raise ApiError(400, "no good", "X-Request-Id")
    return (got and got[0]) or new_uid()
