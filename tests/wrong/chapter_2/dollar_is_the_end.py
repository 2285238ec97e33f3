"""Matches the id with a pattern that ends in `$`.

misunderstood: `$` stands for the end, and not also for a line break before it
seen in: an ordinary slip
task: 2.1
check: test_client_id_is_refused
"""

import re

_OK = re.compile(r"^[\x20-\x7e]{1,128}$")


def client_id(headers):
    given = next((value for name, value in headers if name == HEADER), b"").decode("latin-1")
    if not given:
        return new_uid()
    if not _OK.match(given):
        raise ApiError(400, "no good", "X-Request-Id")
    return given
