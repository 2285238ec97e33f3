"""Pumps in a thread, where an exception reaches nobody.

misunderstood: an exception finds its way to whoever waits for the thread
seen in: an ordinary slip
task: 2.4
check: test_closed_however_it_ends
"""

import contextlib
import threading

_pump = pump


def pump(pipe, registry):
    def work():
        with contextlib.suppress(BaseException):
            _pump(pipe, registry)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
