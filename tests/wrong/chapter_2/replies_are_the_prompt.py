"""Counts the replies as the prompt's tokens.

misunderstood: any count will do
seen in: an ordinary slip
task: 2.4
check: test_answers
"""


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        state = self.registry.open()
        try:
            pump(generate(self.core, GenerationRequest(state.uid, prompt, sampling)), self.registry)
            done = collect(state.replies, len(state.replies))
            return JSONResponse(answer_body(endpoint, state.uid, self.core.name, done))
        finally:
            self.registry.close(state.uid)
