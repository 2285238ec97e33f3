"""Returns at a chunk without choices.

misunderstood: the usage comes last
seen in: an ordinary slip
task: 4.4
check: test_the_end_is_missing
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
            if not chunk["choices"]:
                return text
            text += chunk["choices"][0]["delta"].get("content") or ""
    raise StreamError("the stream ended without [DONE]")
