"""Uses a registry of its own in place of the one that was given.

misunderstood: any registry will do
seen in: an ordinary slip
task: 2.4
check: test_answers_from_what_was_delivered
"""


class RegisteredAnswer(RegisteredAnswer):
    def __init__(self, core, registry):
        super().__init__(core, Registry())
