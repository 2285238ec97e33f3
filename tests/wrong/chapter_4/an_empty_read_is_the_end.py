"""Ends at the first empty read.

misunderstood: a read without bytes means end of file, here as at a socket
seen in: an ordinary slip
task: 4.4
check: test_the_whole_answer
"""

from itertools import takewhile

_read_answer = read_answer


def read_answer(reads):
    return _read_answer(takewhile(bool, reads))
