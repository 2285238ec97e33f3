"""Tells of an error once [DONE] has come.

misunderstood: an error event is followed by [DONE]
seen in: an ordinary slip
task: 4.4
check: test_an_error_in_the_stream
"""


def read_answer(reads):
    parser, text, why = EventParser(), "", None
    for received in reads:
        for data in parser.feed(received):
            if data == "[DONE]":
                if why:
                    raise StreamError(why)
                return text
            chunk = json.loads(data)
            why = why or chunk.get("error", {}).get("message")
            for choice in chunk.get("choices", []):
                text += choice["delta"].get("content") or ""
    raise StreamError("the stream ended without [DONE]")
