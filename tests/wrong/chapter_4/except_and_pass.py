"""Passes over every event that it cannot use.

misunderstood: an odd event is not worth an exception
seen in: an ordinary slip
task: 4.4
check: test_an_error_in_the_stream
"""

from contextlib import suppress


def read_answer(reads):
    parser, text = EventParser(), ""
    for data in (d for received in reads for d in parser.feed(received)):
        if data == "[DONE]":
            return text
        with suppress(Exception):
            text += json.loads(data)["choices"][0]["delta"].get("content") or ""
    raise StreamError("no [DONE]")
