"""Cuts the random id to twelve characters.

misunderstood: what gives no id twice in a test gives none twice in a year
seen in: an ordinary slip
task: 2.1
check: test_every_uid_is_new
"""


def new_uid():
    return "req-" + uuid.uuid4().hex[:12]
