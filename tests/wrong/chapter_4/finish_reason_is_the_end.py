"""Returns at the finish reason.

misunderstood: after the finish reason there is nothing to wait for
seen in: TensorRT-LLM#18289
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
            for choice in chunk["choices"]:
                text += choice["delta"].get("content") or ""
                if choice["finish_reason"]:
                    return text
    raise StreamError("the stream ended without [DONE]")
