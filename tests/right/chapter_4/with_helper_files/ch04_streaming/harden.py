"""Uses this chapter's own client to read the stream, and compares what it read."""

import json

from .client import StreamError, read_answer


def violations(events, whole):
    wanted = whole["choices"][0]
    told = []
    try:
        text = read_answer(f"data: {event}\n\n".encode() for event in events)
    except StreamError as error:
        return [str(error)]
    if text != wanted["message"]["content"]:
        told.append("other text")
    if events[-1] != "[DONE]" or "[DONE]" in events[:-1]:
        told.append("[DONE] in the middle")
    chunks = [json.loads(e) for e in events if e != "[DONE]"]
    speaking = [c for c in chunks if c["choices"]]
    if not {"role": "assistant"}.items() <= speaking[0]["choices"][0]["delta"].items():
        told.append("no role")
    told += ["ids"] * (len({c["id"] for c in chunks}) - 1)
    ended = [n for n, c in enumerate(speaking) if c["choices"][0]["finish_reason"]]
    if len(ended) != 1:
        told.append("not one reason")
    elif speaking[ended[0]]["choices"][0]["finish_reason"] != wanted["finish_reason"]:
        told.append("another reason")
    elif any(c["choices"][0]["delta"].get("content") for c in speaking[ended[0] + 1 :]):
        told.append("text behind it")
    for c in chunks:
        if not c["choices"] and c.get("usage"):
            told += [] if c["usage"] == whole["usage"] else ["usage"]
    return told
