"""Delivers only what is live, and never tells the registry of the rest.

misunderstood: what nobody wants need not be counted
seen in: an ordinary slip
task: 2.4
check: test_pump_past_late_replies
"""


def pump(pipe, registry):
    for reply in pipe:
        if reply.uid in registry.live:
            registry.deliver(reply)
