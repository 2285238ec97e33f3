"""Functions in the place of methods; the context is the fewest ids that have text."""

HALF = "\ufffd"


def IncrementalText(decode):
    class Text:
        pass

    text = Text()
    window = []
    said = 0

    def push(token):
        nonlocal window, said
        window.append(token)
        whole = decode(window)
        if whole.endswith(HALF):
            return ""
        new = whole[said:]
        if said and not new:
            window.pop()
        if new:
            # The smallest end of the window that still has text is context enough.
            for length in range(1, len(window) + 1):
                end = decode(window[-length:])
                if end and HALF not in end and new.endswith(end):
                    window = window[-length:]
                    break
            said = len(decode(window))
        return new

    def flush():
        nonlocal window, said
        new = decode(window)[said:]
        window, said = [], 0
        return new

    text.push, text.flush = push, flush
    return text
