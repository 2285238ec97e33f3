"""A table: where it stands, and what is still owed."""

import logging

TABLE = {(None, e): e for e in ("finished", "failed", "aborted")}


class Life:
    def __init__(self):
        self.ending = None
        self.owed = []

    def on_end(self, cleanup):
        if self.ending:
            return cleanup(self.ending)
        self.owed.insert(0, cleanup)

    def end(self, ending):
        if (None, ending) not in TABLE:
            raise ValueError(f"not an ending: {ending}")
        first = (self.ending, ending) in TABLE
        if first:
            self.ending = TABLE[self.ending, ending]
            owed, self.owed = self.owed, []
            for cleanup in owed:
                self.settle(cleanup)
        return first

    def settle(self, cleanup):
        try:
            cleanup(self.ending)
        except Exception:
            logging.getLogger("life").warning("clean-up failed", exc_info=True)
