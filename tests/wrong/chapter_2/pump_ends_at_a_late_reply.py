"""Ends when a reply has no owner.

misunderstood: nobody is there any more
seen in: an ordinary slip
task: 2.4
check: test_pump_past_late_replies
"""


def pump(pipe, registry):
    for reply in pipe:
        if not registry.deliver(reply):
            break
