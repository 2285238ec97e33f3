"""Refuses line feeds and nothing else.

misunderstood: the one character that harms a log is the line feed
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_refused
"""


def client_id(headers):
    given = next((value for name, value in headers if name == HEADER), b"").decode("latin-1")
    if len(given) > LONGEST or "\n" in given:
        raise ApiError(400, "X-Request-Id: too long, or with a line break", "X-Request-Id")
    return given or new_uid()
