"""Clean-ups as a chain of functions, each of which calls the one before it."""

import logging

log = logging.getLogger(__name__)


def _nothing(ending):
    pass


class Life:
    _endings = {"finished", "failed", "aborted"}

    def __init__(self):
        self.ending, self._chain = None, _nothing

    def on_end(self, cleanup):
        if self.ending is not None:
            cleanup(self.ending)
            return
        older = self._chain

        def chain(ending):
            try:
                cleanup(ending)
            except Exception:
                log.exception("in a clean-up")
            finally:
                older(ending)

        self._chain = chain

    def end(self, ending):
        if ending not in self._endings:
            raise ValueError(ending)
        if self.ending is None:
            self.ending = ending
            chain, self._chain = self._chain, _nothing
            chain(ending)
            return True
        return False
