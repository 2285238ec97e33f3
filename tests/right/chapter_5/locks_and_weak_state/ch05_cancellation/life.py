"""Guards the decision by a lock, so that any thread may end a life."""

import logging
import threading
from collections import deque


class Life:
    def __init__(self):
        self._lock, self._todo, self.ending = threading.RLock(), deque(), None

    def on_end(self, cleanup):
        with self._lock:
            if self.ending is None:
                self._todo.appendleft(cleanup)
                return
        cleanup(self.ending)

    def end(self, ending):
        if ending not in ("finished", "failed", "aborted"):
            raise ValueError(repr(ending))
        with self._lock:
            if self.ending is not None:
                return False
            self.ending = ending
        for cleanup in self._todo:
            try:
                cleanup(ending)
            except Exception as error:
                logging.getLogger("course").exception("%s", error)
        self._todo = deque()
        return True
