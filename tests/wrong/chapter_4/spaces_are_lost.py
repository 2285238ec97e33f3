"""Decodes what waits, without the ids that were shown before it.

misunderstood: the text of a list of ids does not depend on what stood in front of it
seen in: djl-serving#1272
task: 4.1
check: test_spaces
"""


class IncrementalText(IncrementalText):
    def push(self, token):
        self.held.append(token)
        text = self.decode(self.held)
        if text.endswith(HALF):
            return ""
        self.held = []
        return text
