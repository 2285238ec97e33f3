"""Keeps the first exchanges in a mutable default, so that one run is compared with another.

misunderstood: a default is made anew for each call
seen in: an ordinary slip
task: 1.5
check: test_accepts_other_right_servers
"""


def violations(exchanges, first={}):  # noqa: B006
    found = []
    for e in exchanges:
        if 400 <= (e.status or 0) < 500 and e.passes:
            found.append(f"{e.passes} passes for {e.status}")
        if e.status == 200:
            if len(e.prompts) != 1:
                found.append("not computed once")
            earlier = first.setdefault(e.body, e)
            if (earlier.prompts, earlier.passes) != (e.prompts, e.passes):
                found.append("computed unlike an equal request")
    return found
