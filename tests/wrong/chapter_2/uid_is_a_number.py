"""Gives the id as an integer.

misunderstood: an id is a number, and anybody can make text of it
seen in: an ordinary slip
task: 2.1
check: test_every_uid_is_new
"""


def new_uid():
    return uuid.uuid4().int
