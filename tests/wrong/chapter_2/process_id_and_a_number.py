"""Puts the process id before a number.

misunderstood: a process id names one process (in a container it is 1, after every restart)
seen in: an ordinary slip
task: 2.1
check: test_other_processes
"""

import itertools
import os

numbers = itertools.count(1)


def new_uid():
    return f"{os.getpid()}-{next(numbers)}"
