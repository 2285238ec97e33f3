"""Tells a client whose request does not fit that the server failed.

misunderstood: an error is an error
seen in: an ordinary slip
task: 3.1
check: test_a_refusal_is_a_reply
"""


class Turns(Turns):
    def receive(self, message):
        super().receive(message)
        self.refused = [
            Reply(reply.uid, error=Failure("server_error", reply.error.message))
            for reply in self.refused
        ]
