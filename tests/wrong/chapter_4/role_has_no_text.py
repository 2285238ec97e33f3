"""Skips the text beside a role.

misunderstood: a chunk has either a role or a text
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
            for choice in chunk["choices"]:
                text += "" if "role" in choice["delta"] else choice["delta"].get("content") or ""
    raise StreamError("the stream ended without [DONE]")
