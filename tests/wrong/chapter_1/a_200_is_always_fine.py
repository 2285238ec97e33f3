"""Trusts every 200.

misunderstood: status 200 says that the answer was computed
seen in: an ordinary slip
task: 1.5
check: test_rejects_answers_that_were_not_computed_once
"""


def violations(exchanges):
    found, first = [], {}
    for e in exchanges:
        if 400 <= (e.status or 0) < 500 and e.passes:
            found.append(f"{e.passes} passes for {e.status}")
        if e.status == 200 and e.prompts:
            earlier = first.setdefault(e.body, e)
            if (earlier.prompts[0], earlier.passes) != (e.prompts[0], e.passes):
                found.append("computed unlike an equal request")
    return found
