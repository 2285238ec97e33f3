"""The stream becomes columns (roles, texts, reasons), and each promise is a look at one."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence


def violations(events: Sequence[str], whole: dict) -> list[str]:
    (answer,) = whole["choices"]
    kinds = Counter("done" if data == "[DONE]" else "chunk" for data in events)
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    rows = [
        (delta.get("role"), delta.get("content") or "", choice.get("finish_reason"))
        for chunk in chunks
        for choice in chunk["choices"]
        for delta in [choice["delta"]]
    ]
    roles, texts, reasons = zip(*rows, strict=True)
    final = [reason for reason in reasons if reason]
    wrong: list[str] = []

    if kinds["done"] == 0:
        wrong.append("The stream does not say that its end was meant: no [DONE] came.")
    elif events[-1] != "[DONE]":
        wrong.append("Something comes after [DONE].")
    if kinds["done"] > 1:
        wrong.append(f"[DONE] comes {kinds['done']} times.")
    if any(chunk["id"] != chunks[0]["id"] for chunk in chunks):
        wrong.append("Not all chunks have the id of the first.")
    if roles[0] != "assistant":
        wrong.append(f"The first delta has the role {roles[0]}, not assistant.")
    if "".join(texts) != answer["message"]["content"]:
        wrong.append("The pieces of text do not make up the whole answer's text.")
    if len(final) != 1:
        wrong.append(f"{len(final)} chunks have a finish reason; it should be one.")
    elif final[0] != answer["finish_reason"]:
        wrong.append(
            f"It finished with {final[0]}, the whole answer with {answer['finish_reason']}."
        )
    if final and any(texts[reasons.index(final[0]) + 1 :]):
        wrong.append("A chunk after the one with the finish reason has text.")
    counts = [chunk.get("usage") for chunk in chunks if not chunk["choices"]]
    strange = [count for count in counts if count is not None and count != whole["usage"]]
    if strange:
        wrong.append(f"The usage is {strange[0]}, and the whole answer's {whole['usage']}.")
    return wrong
