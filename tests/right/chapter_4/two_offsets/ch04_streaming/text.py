"""All ids are kept; two offsets say where the context begins and where what was shown ends."""

HALF = "\ufffd"


class IncrementalText:
    def __init__(self, decode):
        self._decode = decode
        self._ids = []
        self._context = self._read = 0

    def _pair(self):
        before = self._decode(self._ids[self._context : self._read])
        return before, self._decode(self._ids[self._context :])

    def push(self, token):
        self._ids.append(token)
        before, now = self._pair()
        if now.endswith(HALF) or not len(now) > len(before):
            if now == before and self._read:
                self._ids.pop()  # it has no text, and there is some before it
            return ""
        self._context, self._read = self._read, len(self._ids)
        return now[len(before) :]

    def flush(self):
        before, now = self._pair()
        self._context = self._read = len(self._ids)
        return now[len(before) :]
