"""Reads the whole pipe before it delivers.

misunderstood: a pipe is a list
seen in: an ordinary slip
task: 2.4
check: test_pump_as_they_come
"""


def pump(pipe, registry):
    for reply in list(pipe):
        registry.deliver(reply)
