"""Every promise is a function that gives a sentence or None."""

import json


def _done(events, chunks, whole):
    if [n for n, e in enumerate(events) if e == "[DONE]"] != [len(events) - 1]:
        return "[DONE] is not the end"


def _one_id(events, chunks, whole):
    if any(chunk["id"] != chunks[0]["id"] for chunk in chunks):
        return "ids differ"


def _role(events, chunks, whole):
    for chunk in chunks:
        for choice in chunk["choices"]:
            return None if choice["delta"].get("role") == "assistant" else "no role at first"
    return "no choices"


def _text(events, chunks, whole):
    text = ""
    for chunk in chunks:
        for choice in chunk["choices"]:
            text += choice["delta"].get("content") or ""
    if text != whole["choices"][0]["message"]["content"]:
        return f"the text is {text!r}"


def _reason(events, chunks, whole):
    seen = None
    for chunk in chunks:
        for choice in chunk["choices"]:
            if seen and choice["delta"].get("content"):
                return "text after the end"
            if choice["finish_reason"] is not None:
                if seen:
                    return "two reasons"
                seen = choice["finish_reason"]
    if seen != whole["choices"][0]["finish_reason"]:
        return f"reason {seen}"


def _usage(events, chunks, whole):
    for chunk in chunks:
        if chunk.get("usage") is not None and not chunk["choices"]:
            if chunk["usage"] != whole["usage"]:
                return "wrong usage"


def violations(events, whole):
    chunks = [json.loads(e) for e in events if e != "[DONE]"]
    told = [rule(events, chunks, whole) for rule in (_done, _one_id, _role, _text, _reason, _usage)]
    return [sentence for sentence in told if sentence]
