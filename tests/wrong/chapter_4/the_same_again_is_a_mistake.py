"""Skips a chunk that equals the one before.

misunderstood: the same chunk twice was sent twice by mistake
seen in: an ordinary slip
task: 4.4
check: test_the_whole_answer
"""

_read_answer = read_answer


def read_answer(reads):
    seen = [data for parser in [EventParser()] for read in reads for data in parser.feed(read)]
    new = [data for n, data in enumerate(seen) if n == 0 or data != seen[n - 1]]
    return _read_answer(f"data: {data}\n\n".encode() for data in new)
