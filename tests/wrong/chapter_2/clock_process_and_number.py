"""Puts the clock and the process id before a number.

misunderstood: no other process has the same id at the same time
seen in: vllm#27723
task: 2.1
check: test_other_processes
"""

import itertools
import os
import time

_n = itertools.count()


def new_uid():
    return f"{os.getpid()}-{time.time_ns()}-{next(_n)}"
