"""Answers 200 with what there was when the model failed.

misunderstood: something is better than an error
seen in: an ordinary slip
task: 1.4
check: test_failures_pass_through
"""

from chapters.core import Reply


class BlockingAnswer(BlockingAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        uid, replies = str(next(self.numbers)), []
        try:
            for reply in generate(self.core, GenerationRequest(uid, prompt, sampling)):
                replies.append(reply)
        except Exception:
            replies.append(Reply(uid, "", 0, "stop"))
        return JSONResponse(
            answer_body(endpoint, uid, self.core.name, collect(replies, len(prompt)))
        )
