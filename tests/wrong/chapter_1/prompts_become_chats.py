"""Puts a plain prompt through the chat template.

misunderstood: a completion is a chat with one message
seen in: an ordinary slip
task: 1.4
check: test_what_reaches_the_core
"""

from dataclasses import replace

from chapters.core import Message


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        if isinstance(checked.source, str):
            checked = replace(checked, source=(Message("user", checked.source),))
        return await super().__call__(endpoint, checked)
