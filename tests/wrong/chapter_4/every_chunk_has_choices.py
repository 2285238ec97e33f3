"""Looks into the first choice of every chunk.

misunderstood: a chunk without choices makes no sense
seen in: an ordinary slip
task: 4.4
check: test_the_whole_answer
"""


def read_answer(reads):
    parser, text = EventParser(), ""
    for data in (d for received in reads for d in parser.feed(received)):
        if data == "[DONE]":
            return text
        chunk = json.loads(data)
        if "error" in chunk:
            raise StreamError(chunk["error"]["message"])
        text += chunk["choices"][0]["delta"].get("content") or ""
    raise StreamError("no [DONE]")
