"""Looks for an error once there is text.

misunderstood: without any text the status tells of the failure
seen in: an ordinary slip
task: 4.4
check: test_an_error_in_the_stream
"""


def read_answer(reads):
    parser, text = EventParser(), ""
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                return text
            chunk = json.loads(data)
            if text and "error" in chunk:
                raise StreamError(chunk["error"]["message"])
            for choice in chunk.get("choices", []):
                text += choice["delta"].get("content") or ""
    raise StreamError("the stream ended without [DONE]")
