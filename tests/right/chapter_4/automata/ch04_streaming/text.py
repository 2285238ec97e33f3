"""Decodes the last sixteen shown ids and those that wait, whatever they are."""

from collections import deque

HALF = "\ufffd"


class IncrementalText:
    def __init__(self, decode):
        self.decode = decode
        self.before = deque()  # (id, has text)
        self.new = []

    def _fresh(self):
        context = [token for token, _ in self.before]
        return self.decode(context + self.new)[len(self.decode(context)) :]

    def push(self, token):
        self.new.append(token)
        fresh = self._fresh()
        if fresh.endswith(HALF):
            return ""
        if not fresh:
            if self.before or self.decode(self.new):
                self.new.pop()  # it has no text, and there is other context
            return ""
        for number, token in enumerate(self.new):
            self.before.append((token, number))
        while sum(1 for _, number in self.before if number == 0) > 4:
            self.before.popleft()
            while self.before[0][1] != 0:
                self.before.popleft()
        self.new = []
        return fresh

    def flush(self):
        fresh = self._fresh()
        self.new = []
        return fresh
