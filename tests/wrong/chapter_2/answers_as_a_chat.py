"""Always answers in the shape of a chat.

misunderstood: there is one endpoint
seen in: an ordinary slip
task: 2.4
check: test_answers
"""

from chapters.core import CHAT


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        return await super().__call__(CHAT, checked)
