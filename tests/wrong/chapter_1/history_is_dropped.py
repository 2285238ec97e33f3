"""Puts only the last message to the model.

misunderstood: the question is the last message
seen in: an ordinary slip
task: 1.4
check: test_what_reaches_the_core
"""

from dataclasses import replace


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        if not isinstance(checked.source, str):
            checked = replace(checked, source=checked.source[-1:])
        return await super().__call__(endpoint, checked)
