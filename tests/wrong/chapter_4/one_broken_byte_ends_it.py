"""Decodes strictly.

misunderstood: a server sends no broken bytes
seen in: an ordinary slip
task: 4.4
check: test_utf_8
"""


class EventParser(EventParser):
    def __init__(self):
        super().__init__()
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")()
