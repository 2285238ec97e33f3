"""Takes whatever `Generation` raises for a refusal.

misunderstood: what goes wrong before the first step is the client's fault
seen in: an ordinary slip
task: 3.1
check: test_a_bug_is_no_refusal
"""


class Turns(Turns):
    def receive(self, message):
        if isinstance(message, Abort):
            return
        try:
            self.running[message.uid] = Generation(self.core, message, self.new_text)
        except Exception as error:
            self.refused.append(Reply(message.uid, error=Failure("invalid_request", str(error))))
