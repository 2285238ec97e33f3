"""Looks for [DONE] anywhere in the event.

misunderstood: nobody would write [DONE] into an answer
seen in: an ordinary slip
task: 4.4
check: test_the_end_is_missing
"""

_read_answer = read_answer


def read_answer(reads):
    def marked():
        for received in reads:
            yield received
            if b"[DONE]" in received:
                yield b"\n\ndata: [DONE]\n\n"

    return _read_answer(marked())
