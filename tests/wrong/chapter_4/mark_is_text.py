"""Takes a byte order mark at the beginning for text.

misunderstood: the first bytes of a stream are its first field's name
seen in: an ordinary slip
task: 4.4
check: test_utf_8
"""


class EventParser(EventParser):
    def __init__(self):
        super().__init__()
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
