"""Keeps its parser from one answer to the next.

misunderstood: an answer leaves nothing behind in its parser
seen in: an ordinary slip
task: 4.4
check: test_the_end_is_missing
"""

_read_answer, _parser = read_answer, EventParser()


def read_answer(reads):
    def events():
        for received in reads:
            for data in _parser.feed(received):
                yield f"data: {data}\n\n".encode()

    return _read_answer(events())
