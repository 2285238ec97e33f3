"""Opens the request before it knows that the prompt fits.

misunderstood: the order does not matter, since it is closed in any case
seen in: an ordinary slip
task: 2.4
check: test_refused_is_never_opened
"""


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        state = self.registry.open()
        try:
            prompt, sampling = prepare(self.core, checked)
            pump(generate(self.core, GenerationRequest(state.uid, prompt, sampling)), self.registry)
            done = collect(state.replies, len(prompt))
            return JSONResponse(answer_body(endpoint, state.uid, self.core.name, done))
        finally:
            self.registry.close(state.uid)
