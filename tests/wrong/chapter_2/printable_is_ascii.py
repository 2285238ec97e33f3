"""Leaves out the test for ASCII.

misunderstood: what can be printed can be sent in a header
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_refused
"""


def client_id(headers):
    given = next((value for name, value in headers if name == HEADER), b"").decode("latin-1")
    if len(given) > LONGEST or not given.isprintable():
        raise ApiError(400, "X-Request-Id: expected printable ASCII", "X-Request-Id")
    return given or new_uid()
