"""Lines out of bytes, as a class of its own."""

import io


class Lines:
    """CR LF and CR become LF; a CR at the end of a read waits for what follows."""

    def __init__(self):
        import codecs

        text = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self.decoder = io.IncrementalNewlineDecoder(text, translate=True)
        self.rest = ""

    def feed(self, received):
        *whole, self.rest = (self.rest + self.decoder.decode(received)).split("\n")
        return whole
