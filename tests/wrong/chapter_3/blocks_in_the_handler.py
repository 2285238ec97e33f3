"""Sleeps, on the loop, until the answer is there.

misunderstood: `async def` makes waiting harmless
seen in: production-stack#1016
task: 3.4
check: test_each_waits_for_its_own
"""

import time


class WaitingAnswer(WaitingAnswer):
    async def __call__(self, endpoint, checked):
        mailbox, prompt_tokens = await self.backend.open(checked)
        for _ in range(20):
            if not mailbox.finished:
                time.sleep(0.01)
        replies = mailbox.replies
        done = collect(replies, prompt_tokens)
        return JSONResponse(answer_body(endpoint, mailbox.uid, self.backend.core.name, done))
