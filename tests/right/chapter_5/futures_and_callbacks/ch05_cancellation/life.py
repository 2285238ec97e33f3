"""A future of concurrent.futures decides who was first."""

import logging
from concurrent.futures import Future, InvalidStateError


class Life:
    def __init__(self):
        self._first, self._cleanups = Future(), []

    @property
    def ending(self):
        return self._first.result() if self._first.done() else None

    def on_end(self, cleanup):
        if self._first.done():
            cleanup(self.ending)
        else:
            self._cleanups.append(cleanup)

    def end(self, ending):
        if ending not in {"finished", "failed", "aborted"}:
            raise ValueError(f"unknown ending {ending!r}")
        try:
            self._first.set_result(ending)
        except InvalidStateError:
            return False
        cleanups, self._cleanups = self._cleanups[::-1], None
        for cleanup in cleanups:
            try:
                cleanup(ending)
            except Exception:
                logging.exception("a clean-up")
        return True
