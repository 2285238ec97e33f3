"""Yields sentences while it walks over the chunks once."""

import json


def _walk(events, whole):
    wanted, text, ids, reasons, first = whole["choices"][0], "", set(), [], True
    if "[DONE]" not in events or events.index("[DONE]") != len(events) - 1:
        yield "the first [DONE] is not the last event"
    for data in events:
        if data == "[DONE]":
            continue
        chunk = json.loads(data)
        ids.add(chunk["id"])
        if not chunk["choices"]:
            if chunk.get("usage") not in (None, whole["usage"]):
                yield f"usage: {chunk['usage']}"
            continue
        choice = chunk["choices"][0]
        if first and choice["delta"].get("role") != "assistant":
            yield "who speaks?"
        first = False
        piece = choice["delta"].get("content") or ""
        if piece and reasons:
            yield "text after the reason"
        text += piece
        reasons += [choice["finish_reason"]] * (choice["finish_reason"] is not None)
    if len(ids) > 1:
        yield "ids"
    if text != wanted["message"]["content"]:
        yield "text"
    if reasons != [wanted["finish_reason"]]:
        yield "reasons"


def violations(events, whole):
    return list(_walk(list(events), whole))
