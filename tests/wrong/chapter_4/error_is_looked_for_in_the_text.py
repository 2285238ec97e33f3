"""Takes each chunk with the word error for one.

misunderstood: the word error stands in error events only
seen in: an ordinary slip
task: 4.4
check: test_the_whole_answer
"""


def read_answer(reads):
    parser, text = EventParser(), ""
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                return text
            chunk = json.loads(data)
            if chunk.get("error"):
                raise StreamError(chunk["error"]["message"])
            if '"error"' in data or "error" in data:
                raise StreamError(data)
            for choice in chunk["choices"]:
                text += choice["delta"].get("content") or ""
    raise StreamError("the stream ended without [DONE]")
