"""A pump that is wound by hand, and an answer in a context manager."""

from contextlib import contextmanager

from starlette.responses import JSONResponse

from chapters.ch01_http.answers import answer_body, collect
from chapters.core import GenerationRequest, generate, prepare

_END = object()


def pump(pipe, registry):
    pipe = iter(pipe)
    reply = next(pipe, _END)
    while reply is not _END:
        registry.deliver(reply)
        reply = next(pipe, _END)


class RegisteredAnswer:
    def __init__(self, core, registry):
        self._core, self._registry = core, registry

    @contextmanager
    def _opened(self):
        state = self._registry.open()
        try:
            yield state
        finally:
            self._registry.close(state.uid)

    async def __call__(self, endpoint, checked):
        prompt, sampling = prepare(self._core, checked)
        with self._opened() as state:
            request = GenerationRequest(state.uid, prompt, sampling)
            pump(generate(self._core, request), self._registry)
            done = collect(iter(state.replies), len(prompt))
            content = answer_body(endpoint, state.uid, self._core.name, done)
        return JSONResponse(content)
