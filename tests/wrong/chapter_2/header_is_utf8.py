"""Decodes the header as UTF-8 and leaves it at that.

misunderstood: all bytes that come over a network are UTF-8
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_refused
"""


def client_id(headers):
    given = next((value for name, value in headers if name == HEADER), b"").decode()
    if len(given) > LONGEST or not (given.isascii() and given.isprintable()):
        raise ApiError(400, "X-Request-Id: expected printable ASCII", "X-Request-Id")
    return given or new_uid()
