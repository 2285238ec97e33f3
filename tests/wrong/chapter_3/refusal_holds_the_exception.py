"""Puts the ValueError itself into the refusal.

misunderstood: whoever reads the message can turn it into text
seen in: an ordinary slip
task: 3.1
check: test_a_refusal_is_a_reply
"""


class Turns(Turns):
    def receive(self, message):
        if isinstance(message, Abort):
            return
        try:
            self.running[message.uid] = Generation(self.core, message, self.new_text)
        except ValueError as error:
            self.refused.append(Reply(message.uid, error=Failure("invalid_request", error)))
