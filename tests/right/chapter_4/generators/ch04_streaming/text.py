"""A generator that is sent ids and yields text; what surely is text in front of a half leaves."""

HALF = "\ufffd"


def _texts(decode):
    context, waiting, shown = [], [], ""
    new = ""
    while True:
        token = yield new
        new = ""
        if token is not None:
            waiting.append(token)
        text = decode(context + waiting)
        if token is None:
            new = text[len(shown) :]
            context, waiting, shown = [], [], ""
        elif not text.endswith(HALF):
            new = text[len(shown) :]
            if new:
                context, waiting = waiting, []
                shown = decode(context)
            elif context:
                waiting = []
        else:
            sure = text.rstrip(HALF)
            if len(sure) > len(shown):
                new = sure[len(shown) :]
                shown = sure


class IncrementalText:
    def __init__(self, decode):
        self._run = _texts(decode)
        next(self._run)

    def push(self, token):
        return self._run.send(token)

    def flush(self):
        return self._run.send(None)
