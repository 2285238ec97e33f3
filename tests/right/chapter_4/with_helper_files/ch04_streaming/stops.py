"""A matcher for each stop string; the most careful one decides."""

from chapters.ch04_streaming.prefixes import longest_overlap


class StopStrings:
    def __init__(self, stop=None):
        self.words = stop or []
        self.pending = []
        self.place = None

    @property
    def stopped(self):
        return self.place is not None

    def feed(self, text):
        if self.stopped:
            return ""
        everything = "".join([*self.pending, text])
        for word in self.words:
            place = everything.find(word)
            if place >= 0 and (self.place is None or place < self.place):
                self.place = place
        if self.stopped:
            self.pending = []
            return everything[: self.place]
        keep = 0
        for word in self.words:
            keep = max(keep, longest_overlap(everything, word))
        cut = len(everything) - keep
        self.pending = [everything[cut:]]
        return everything[:cut]

    def flush(self):
        return "" if self.stopped else "".join(self.pending)
