"""Shows a text when the next token comes.

misunderstood: the next token may change any text
seen in: an ordinary slip
task: 4.1
check: test_plain_text
"""


class IncrementalText(IncrementalText):
    late = ""

    def push(self, token):
        now, self.late = self.late, super().push(token)
        return now

    def flush(self):
        return self.late + super().flush()
