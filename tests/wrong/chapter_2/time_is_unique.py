"""Names a request by the millisecond it came in.

misunderstood: no two requests come in the same millisecond
seen in: an ordinary slip
task: 2.1
check: test_every_uid_is_new
"""

import time


def new_uid():
    return str(int(time.time() * 1000))
