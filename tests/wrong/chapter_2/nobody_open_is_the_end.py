"""Ends the pump when nobody is open.

misunderstood: the pipe ends with the last request
seen in: an ordinary slip
task: 2.4
check: test_pump_past_late_replies
"""


def pump(pipe, registry):
    for reply in pipe:
        registry.deliver(reply)
        if not registry.live:
            break
