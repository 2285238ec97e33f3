"""Numbers the requests 1, 2, 3.

misunderstood: a number that this process never gives twice is unique
seen in: vllm#27723
task: 2.1
check: test_other_processes
"""

import itertools

numbers = itertools.count(1)


def new_uid():
    return str(next(numbers))
