"""Keeps what was said and puts it in front of the next request.

misunderstood: the server holds the conversation (the client sends it, every time)
seen in: mlx-lm#965
task: 1.5
file: handler.py
check: test_your_own_server
"""

from dataclasses import replace


class BlockingAnswer(BlockingAnswer):
    history = ()

    async def __call__(self, endpoint, checked):
        self.history = (*self.history, *checked.source)
        return await super().__call__(endpoint, replace(checked, source=self.history))
