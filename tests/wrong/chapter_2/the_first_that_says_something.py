"""Takes the first header that is not empty.

misunderstood: an empty header is passed over, and the next one counts
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_made
"""


def client_id(headers):
    given = next((value for name, value in headers if name == HEADER and value), b"").decode(
        "latin-1"
    )
    if len(given) > LONGEST or not (given.isascii() and given.isprintable()):
        raise ApiError(400, "no good", "X-Request-Id")
    return given or new_uid()
