"""All text is kept; a position says how far it was shown. A search begins near the end."""


class StopStrings:
    def __init__(self, stop=()):
        self._stop = list(stop)
        self._text = ""
        self._shown = 0
        self.stopped = False

    def feed(self, text):
        if self.stopped:
            return ""
        self._text += text
        places = []
        for stop in self._stop:
            place = self._text.find(stop, self._shown)
            if place != -1:
                places.append(place)
        if places:
            self.stopped = True
            return self._until(min(places))
        for start in range(self._shown, len(self._text)):
            end = self._text[start:]
            if any(stop.startswith(end) for stop in self._stop):
                return self._until(start)
        return self._until(len(self._text))

    def _until(self, end):
        new, self._shown = self._text[self._shown : end], end
        return new

    def flush(self):
        return "" if self.stopped else self._until(len(self._text))
