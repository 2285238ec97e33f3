"""Collects the replies of the core without the registry.

misunderstood: with one request at a time nobody needs to be found
seen in: an ordinary slip
task: 2.4
check: test_answers_from_what_was_delivered
"""


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        state = self.registry.open()
        try:
            replies = list(generate(self.core, GenerationRequest(state.uid, prompt, sampling)))
            done = collect(replies, len(prompt))
            return JSONResponse(answer_body(endpoint, state.uid, self.core.name, done))
        finally:
            self.registry.close(state.uid)
