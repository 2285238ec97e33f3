"""Catches every exception of the pipe.

misunderstood: a pump must never stop
seen in: an ordinary slip
task: 2.4
check: test_pump_when_the_pipe_breaks
"""

_pump = pump


def pump(pipe, registry):
    try:
        return _pump(pipe, registry)
    except:  # noqa: E722
        return None
