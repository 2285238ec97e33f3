"""Raises when a reply has no owner.

misunderstood: a reply without an owner is a bug that must be seen
seen in: LitServe#653
task: 2.4
check: test_pump_past_late_replies
"""


def pump(pipe, registry):
    for reply in pipe:
        if not registry.deliver(reply):
            raise KeyError(reply.uid)
