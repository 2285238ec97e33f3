"""Cuts the random id to eight characters.

misunderstood: eight random characters never come twice
seen in: an ordinary slip
task: 2.1
check: test_every_uid_is_new
"""


def new_uid():
    return uuid.uuid4().hex[:8]
