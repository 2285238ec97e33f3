"""The listener hands on only replies with text, and the last ones.

misunderstood: a reply without text says nothing
seen in: an ordinary slip
task: 3.3
check: test_the_listener_hands_over
"""


class Listener(Listener):
    def deliver(self, replies):
        super().deliver([r for r in replies if r.text or r.last])
