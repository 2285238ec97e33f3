"""Complains of two prompts and not of none.

misunderstood: exactly one means at most one
seen in: an ordinary slip
task: 1.5
check: test_rejects_answers_that_were_not_computed_once
"""


def violations(exchanges):
    found, first = [], {}
    for e in exchanges:
        if 400 <= (e.status or 0) < 500 and e.passes:
            found.append(f"{e.passes} passes for {e.status}")
        if e.status == 200:
            if len(e.prompts) > 1:
                found.append("computed more than once")
            earlier = first.setdefault(e.body, e)
            if (earlier.prompts, earlier.passes) != (e.prompts, e.passes):
                found.append("computed unlike an equal request")
    return found
