"""Makes a random prefix when the file is loaded, and counts from there.

misunderstood: what is random once is different in every process (a fork has the same)
seen in: an ordinary slip
task: 2.1
check: test_other_processes
"""

import itertools

PREFIX, numbers = uuid.uuid4().hex, itertools.count(1)


def new_uid():
    return f"{PREFIX}-{next(numbers)}"
