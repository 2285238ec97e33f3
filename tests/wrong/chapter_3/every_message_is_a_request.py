"""Takes an Abort for a request.

misunderstood: an inbox has one kind of message
seen in: an ordinary slip
task: 3.1
check: test_an_abort_is_ignored
"""


class Turns(Turns):
    def receive(self, message):
        try:
            self.running[message.uid] = Generation(self.core, message, self.new_text)
        except ValueError as error:
            failure = Failure("invalid_request", str(error))
            self.refused.append(Reply(message.uid, error=failure))
