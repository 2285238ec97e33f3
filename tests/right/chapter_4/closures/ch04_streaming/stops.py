"""Remembers every place where a stop string may have begun."""


class StopStrings:
    def __init__(self, stop=()):
        self.stop = tuple(stop)
        self.text = ""
        self.alive = []  # (where it began, which), in order of beginning
        self.sent = 0
        self.stopped = False

    def feed(self, text):
        if self.stopped:
            return ""
        done = []
        for letter in text:
            self.alive += [(len(self.text), word) for word in self.stop]
            self.text += letter
            self.alive = [
                (begin, word) for begin, word in self.alive if word.startswith(self.text[begin:])
            ]
            done += [begin for begin, word in self.alive if word == self.text[begin:]]
            self.alive = [(b, word) for b, word in self.alive if word != self.text[b:]]
        if done:
            self.stopped = True
            end = min(done)
        else:
            end = min([begin for begin, _ in self.alive], default=len(self.text))
        out, self.sent = self.text[self.sent : end], end
        return out

    def flush(self):
        if self.stopped:
            return ""
        out, self.sent, self.alive = self.text[self.sent :], len(self.text), []
        return out
