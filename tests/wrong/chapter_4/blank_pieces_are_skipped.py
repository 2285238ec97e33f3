"""Skips pieces of white space only.

misunderstood: there is nothing to see in them
seen in: mlx-lm#1754
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
                piece = choice["delta"].get("content") or ""
                text += piece if piece.strip() else ""
    raise StreamError("the stream ended without [DONE]")
