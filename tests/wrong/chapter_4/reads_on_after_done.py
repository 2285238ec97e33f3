"""Goes on to the end of the bytes, [DONE] or not.

misunderstood: the answer ends where the connection does
seen in: an ordinary slip
task: 4.4
check: test_the_whole_answer
"""


def read_answer(reads):
    parser, text, done = EventParser(), "", False
    for data in (d for received in reads for d in parser.feed(received)):
        if data == "[DONE]":
            done = True
            continue
        chunk = json.loads(data)
        if "error" in chunk:
            raise StreamError(chunk["error"]["message"])
        if chunk["choices"]:
            text += chunk["choices"][0]["delta"].get("content") or ""
    if done:
        return text
    raise StreamError("no [DONE]")
