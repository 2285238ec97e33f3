"""Waits for the answer on the loop, in a server.

misunderstood: what is waited for in a coroutine is not blocking
seen in: production-stack#1016
task: 3.5
check: test_your_own_server
file: backend.py
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
