"""A list of (is it so, what to say)."""

import json
from itertools import dropwhile


def violations(events, whole):
    body = [json.loads(event) for event in events if "[DONE]" != event]
    heard = [chunk["choices"][0] for chunk in body if len(chunk["choices"])]
    content = lambda choice: choice["delta"].get("content") or ""
    ended = lambda choice: choice["finish_reason"] is not None
    after = list(dropwhile(lambda choice: not ended(choice), heard))[1:]
    asked = [chunk["usage"] for chunk in body if not chunk["choices"] and chunk.get("usage")]
    wanted = whole["choices"][0]
    checks = [
        (tuple(events[-1:]) == ("[DONE]",), "the end"),
        (len(body) == len(events) - 1, "how many ends"),
        (all(chunk["id"] == body[0]["id"] for chunk in body), "one id"),
        (heard[0]["delta"].get("role") == "assistant", "the role"),
        ("".join(map(content, heard)) == wanted["message"]["content"], "the text"),
        (
            [choice["finish_reason"] for choice in filter(ended, heard)]
            == [wanted["finish_reason"]],
            "one reason",
        ),
        (not any(map(content, after)), "nothing after the reason"),
        (all(usage == whole["usage"] for usage in asked), "the usage"),
    ]
    return [f"broken: {name}" for kept, name in checks if not kept]
