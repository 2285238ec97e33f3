"""One request being generated: its tokens, its text, and why it ended.

It owns the token iterator, which owns the KV cache. It knows nothing of other requests,
threads or HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from chapters.core.messages import GenerationRequest, Reply
from chapters.core.protocol import Core, TextDecoder


class WholeText:
    """The plain text decoder: all the text at the end, and nothing before it."""

    def __init__(self, decode: Callable[[Sequence[int]], str], stop: Sequence[str] = ()):
        self.decode, self.stop = decode, tuple(stop)
        self.ids: list[int] = []
        self.stopped = False

    def push(self, token: int) -> str:
        self.ids.append(token)
        if self.stop:
            text = self.decode(self.ids)
            self.stopped = any(stop in text for stop in self.stop)
        return ""

    def flush(self) -> str:
        text = self.decode(self.ids)
        return text[: min((text.find(stop) for stop in self.stop if stop in text), default=None)]


class Generation:
    """The life of one `GenerationRequest` in the worker.

    core: where the tokens come from; new_text: makes the decoder, as `new_text(decode, stop)`.
    Raises ValueError, as `core.generate` does, if the prompt does not fit; nothing is held then.
    """

    def __init__(
        self,
        core: Core,
        request: GenerationRequest,
        new_text: Callable[..., TextDecoder] = WholeText,
    ):
        sampling = request.sampling
        self.uid = request.uid
        self.ends = frozenset() if sampling.ignore_eos else core.stop_ids
        self.limit = sampling.budget(len(request.prompt), core.max_context)
        self.tokens = core.generate(request.prompt, sampling, uid=request.uid)
        self.text = new_text(core.decode, sampling.stop)
        self.count = 0

    def step(self) -> Reply:
        """One forward pass and what it gave. The last reply says why generation ended.

        An exception of the core passes through; its KV cache is gone by then.
        """
        token = next(self.tokens)
        self.count += 1
        ended = token in self.ends
        text = "" if ended else self.text.push(token)
        if ended or self.text.stopped:
            reason = "stop"
        elif self.count == self.limit:
            reason = "length"
        else:
            return Reply(self.uid, text, 1)
        self.close()
        return Reply(self.uid, text + self.text.flush(), 1, reason)

    def close(self) -> None:
        """Give the KV cache back. May be called at any time between steps, and twice."""
        self.tokens.close()


def generate(core: Core, request: GenerationRequest) -> Iterator[Reply]:
    """All replies of one request, a forward pass each. Blocks its thread while it computes."""
    generation = Generation(core, request)
    try:
        while True:
            reply = generation.step()
            yield reply
            if reply.last:
                return
    finally:
        generation.close()
