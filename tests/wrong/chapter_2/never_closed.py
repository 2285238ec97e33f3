"""Leaves the request open.

misunderstood: what is finished takes no room
seen in: an ordinary slip
task: 2.4
check: test_closed_however_it_ends
"""


class RegisteredAnswer(RegisteredAnswer):
    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self.core, checked)
        state = self.registry.open()
        pump(generate(self.core, GenerationRequest(state.uid, prompt, sampling)), self.registry)
        done = collect(state.replies, len(prompt))
        return JSONResponse(answer_body(endpoint, state.uid, self.core.name, done))
