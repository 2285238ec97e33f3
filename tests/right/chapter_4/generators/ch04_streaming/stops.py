"""A regular expression finds the first stop string, another the end that may become one."""

import re


class StopStrings:
    def __init__(self, stop=()):
        self._found = re.compile("|".join(map(re.escape, stop)) or r"(?!)")
        starts = {word[:length] for word in stop for length in range(1, len(word))}
        longest_first = sorted(starts, key=len, reverse=True)
        self._maybe = re.compile(f"(?:{'|'.join(map(re.escape, longest_first)) or '(?!)'})\\Z")
        self._run = self._texts()
        next(self._run)
        self.stopped = False

    def _texts(self):
        held = ""
        new = ""
        while True:
            text = yield new
            if text is None:
                new, held = held, ""
                continue
            text = held + text
            match = self._found.search(text)
            if match:
                break
            maybe = self._maybe.search(text)
            new, held = (text[: maybe.start()], maybe[0]) if maybe else (text, "")
        self.stopped = True
        yield text[: match.start()]
        while True:
            yield ""

    def feed(self, text):
        return self._run.send(text)

    def flush(self):
        return self._run.send(None)
