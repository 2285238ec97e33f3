"""Task 2.4: from the pipe to the owners, and an answer made of what its owner was given.

Still one request at a time, on the event loop: the pump holds up everybody else.
"""

from __future__ import annotations

from collections.abc import Iterable

from starlette.responses import JSONResponse, Response

from chapters.ch01_http.answers import answer_body, collect
from chapters.ch02_request_ids.registry import Registry
from chapters.core import (
    CheckedRequest,
    Core,
    Endpoint,
    GenerationRequest,
    Reply,
    generate,
    prepare,
)


def pump(pipe: Iterable[Reply], registry: Registry) -> None:
    """Deliver every reply of the pipe, in order, until the pipe ends.

    Each is delivered before the next is asked for: the pipe may compute it only then. Neither a
    reply that finds no owner nor the last one of a request stops anything: those behind it are
    delivered. Nothing is opened or closed here. An exception of the pipe passes through.
    """
    # BEGIN SOLUTION
    for reply in pipe:
        registry.deliver(reply)
    # END SOLUTION


class RegisteredAnswer:
    """Answers a checked request through the registry."""

    def __init__(self, core: Core, registry: Registry):
        self.core, self.registry = core, registry

    async def __call__(self, endpoint: Endpoint, checked: CheckedRequest) -> Response:
        """The whole answer, as a JSONResponse; its id is made from the request's uid.

        `prepare` the request, open a state, pump the replies of `generate(core,
        GenerationRequest(uid, prompt, sampling))` into the registry, and answer from what the
        state was given (`collect`, `answer_body`, as in chapter 1). However this ends, also by an
        exception, which passes through, the request is closed, and no other. A request that
        `prepare` refuses is never opened.
        """
        # BEGIN SOLUTION
        prompt, sampling = prepare(self.core, checked)
        state = self.registry.open()
        try:
            pump(generate(self.core, GenerationRequest(state.uid, prompt, sampling)), self.registry)
            done = collect(state.replies, len(prompt))
            return JSONResponse(answer_body(endpoint, state.uid, self.core.name, done))
        finally:
            self.registry.close(state.uid)
        # END SOLUTION
