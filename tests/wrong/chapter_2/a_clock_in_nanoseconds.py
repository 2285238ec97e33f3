"""Names a request by the nanosecond it came in.

misunderstood: no two requests come at the same time
seen in: an ordinary slip
task: 2.1
check: test_other_processes
"""

import time


def new_uid():
    return f"req-{time.time_ns()}"
