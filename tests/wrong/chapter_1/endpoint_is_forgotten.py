"""Always answers in the shape of a chat.

misunderstood: there is one endpoint
seen in: mini-sglang#126
task: 1.4
check: test_answers
"""

from chapters.core import CHAT


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        return await super().__call__(CHAT, checked)
