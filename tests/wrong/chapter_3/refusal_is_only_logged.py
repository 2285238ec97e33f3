"""Drops a request that does not fit, with a line in the log.

misunderstood: the log is where errors belong
seen in: mini-sglang, whose scheduler drops it
task: 3.1
check: test_a_refusal_is_a_reply
"""

import logging


class Turns(Turns):
    def receive(self, message):
        super().receive(message)
        if self.refused:
            logging.warning("dropped %s", self.refused.pop().uid)
