"""Normalises the text.

misunderstood: two ways to write a character are one text
seen in: an ordinary slip
task: 4.1
check: test_spaces
"""

import unicodedata


class IncrementalText(IncrementalText):
    def push(self, token):
        return unicodedata.normalize("NFC", super().push(token))
