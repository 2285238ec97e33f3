"""Writes a name of its own into the answer.

misunderstood: the model field of an answer is there for the shape
seen in: an ordinary slip
task: 2.4
check: test_answers
"""


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        name, self.core.name = self.core.name, "model"
        try:
            return await super().__call__(endpoint, checked)
        finally:
            self.core.name = name
