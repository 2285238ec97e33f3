"""Counts the letters of the prompt as its tokens.

misunderstood: a token is about a letter
seen in: an ordinary slip
task: 3.4
check: test_answers
"""


class Backend(Backend):
    async def open(self, checked):
        mailbox, _ = await super().open(checked)
        return mailbox, len(checked.source)
