"""Looks for text after the finish reason in the last chunk.

misunderstood: what is late comes last
seen in: an ordinary slip
task: 4.5
check: test_finish_reason
"""

_violations = violations


def violations(events, whole):
    found = [s for s in _violations(events, whole) if "after" not in s]
    chunks = [json.loads(data) for data in events if data != "[DONE]"]
    choices = [chunk["choices"][0] for chunk in chunks if chunk["choices"]]
    last = choices[-1]
    late = last["delta"].get("content") and not last["finish_reason"]
    return found + (["late"] if late else [])
