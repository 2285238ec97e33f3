"""An ExitStack keeps the clean-ups, and unwinds them."""

import logging
from contextlib import ExitStack


class Life:
    def __init__(self):
        self._stack = ExitStack()
        self._how = ()

    @property
    def ending(self):
        return self._how[0] if self._how else None

    def on_end(self, cleanup):
        if self._how:
            cleanup(self.ending)
            return

        def guarded():
            try:
                cleanup(self.ending)
            except Exception as error:
                logging.error("clean-up: %r", error)

        self._stack.callback(guarded)

    def end(self, ending):
        match ending, self._how:
            case "finished" | "failed" | "aborted", ():
                self._how = (ending,)
                self._stack.pop_all().close()
                return True
            case "finished" | "failed" | "aborted", _:
                return False
        raise ValueError(ending)
