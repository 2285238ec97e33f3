"""Makes the stream into a whole answer again, and compares the two."""

import json
import re


def violations(events, whole):
    found = []
    signs = "".join("D" if e == "[DONE]" else "." for e in events)
    if not re.fullmatch(r"\.*D", signs):
        found.append(f"events in the order {signs}")
    chunks = [json.loads(e) for e in events if e != "[DONE]"]
    with_choices = [c["choices"][0] for c in chunks if c["choices"]]
    shape = "".join(
        ("t" if c["delta"].get("content") else "") + ("r" if c["finish_reason"] else "")
        for c in with_choices
    )
    if not re.fullmatch("t*r", shape):
        found.append(f"text and reason in the order {shape}")
    again = {
        "role": with_choices[0]["delta"].get("role"),
        "content": "".join(c["delta"].get("content") or "" for c in with_choices),
    }
    if again != {k: whole["choices"][0]["message"][k] for k in again}:
        found.append(f"{again} is another message")
    if {c["finish_reason"] for c in with_choices} - {None, whole["choices"][0]["finish_reason"]}:
        found.append("another reason")
    if len(set(c["id"] for c in chunks)) > 1:
        found.append("several answers")
    usages = [c.get("usage") or whole["usage"] for c in chunks if not c["choices"]]
    return found + ["other counts" for u in usages if u != whole["usage"]]
