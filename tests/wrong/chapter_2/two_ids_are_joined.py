"""Makes one value of a header that came twice.

misunderstood: a header that comes twice is a list, and a list is joined by commas
seen in: Node.js, whose `request.headers` joins all but a few by ", "
task: 2.1
check: test_client_id_is_kept
"""

_client_id = client_id


def client_id(headers):
    values = [value for name, value in headers if name == HEADER]
    return _client_id([(HEADER, b", ".join(values))])
