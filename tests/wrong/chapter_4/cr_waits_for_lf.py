"""Keeps a CR at the end of a read until the next byte shows whether it is half of CR LF.

misunderstood: a CR must wait, since an LF may follow
seen in: an ordinary slip
task: 4.4
check: test_line_ends
"""


class EventParser(EventParser):
    late = b""

    def feed(self, received):
        received = self.late + received
        self.late = b"\r" if received.endswith(b"\r") else b""
        return super().feed(received.removesuffix(self.late))
