"""Compares whole segments: shown ids, then waiting ids; never more than two segments."""

from dataclasses import dataclass, field

HALF = "\ufffd"


@dataclass
class IncrementalText:
    decode: object
    shown: tuple = ()
    waiting: tuple = field(default=())

    @property
    def difference(self):
        known = self.decode(list(self.shown))
        everything = self.decode([*self.shown, *self.waiting])
        return everything[len(known) :]

    def push(self, token):
        self.waiting += (token,)
        text = self.difference
        if text.endswith(HALF):
            return ""
        if text:
            self.shown, self.waiting = self.waiting, ()
        elif self.shown:
            self.waiting = ()
        return text

    def flush(self):
        text = self.difference
        self.shown, self.waiting = self.shown + self.waiting, ()
        return text
