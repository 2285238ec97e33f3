"""Lines out of bytes, as a class of its own."""


class Lines:
    """CR LF and CR become LF, a CR at the end of a read as well."""

    def __init__(self):
        import codecs

        self.decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self.rest = ""
        self.last = ""  # character of what came before

    def feed(self, received):
        text = self.decoder.decode(received)
        if not text:
            return []
        second_half = self.last == "\r" and text[0] == "\n"
        self.last, text = text[-1], text[second_half:]
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        *whole, self.rest = (self.rest + text).split("\n")
        return whole
