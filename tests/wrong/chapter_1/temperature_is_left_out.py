"""Generates greedily whatever was asked.

misunderstood: a server gives the best answer it has
seen in: an ordinary slip
task: 1.4
check: test_what_reaches_the_core
"""

from dataclasses import replace


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        sampling = replace(checked.sampling, temperature=0.0, top_p=1.0, top_k=0, ignore_eos=False)
        return await super().__call__(endpoint, replace(checked, sampling=sampling))
