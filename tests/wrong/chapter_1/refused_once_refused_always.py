"""Takes it for a fault that a body was refused with a 4xx and answered later.

misunderstood: a 4xx is about the body (429 and 401 are not)
seen in: an ordinary slip
task: 1.5
check: test_tells_the_busy_from_the_lazy
"""

_violations = violations


def violations(exchanges):
    good = {e.body for e in exchanges if e.status == 200}
    refused = {e.body for e in exchanges if 400 <= (e.status or 0) < 500}
    return _violations(exchanges) + [
        f"{body!r} was refused and answered" for body in good & refused
    ]
