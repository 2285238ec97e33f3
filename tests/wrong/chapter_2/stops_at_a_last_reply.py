"""Ends at the first reply that is a last one.

misunderstood: the last reply of one request is the end of the pipe
seen in: an ordinary slip
task: 2.4
check: test_pump_to_the_owners
"""


def pump(pipe, registry):
    for reply in pipe:
        registry.deliver(reply)
        if reply.last:
            return
