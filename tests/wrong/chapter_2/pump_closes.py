"""Closes a request when its last reply has come.

misunderstood: whoever sees the end closes
seen in: an ordinary slip
task: 2.4
check: test_pump_to_the_owners
"""


def pump(pipe, registry):
    for reply in pipe:
        registry.deliver(reply)
        if reply.last:
            registry.close(reply.uid)
