"""What a generation core must offer: a real model and a scripted one are interchangeable."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Protocol

from chapters.core.messages import Message, Sampling


class Core(Protocol):
    """A model with its tokenizer. It knows nothing of HTTP, threads or other requests.

    name: what /v1/models lists; placed: where it computes and in what, for people.
    stop_ids: token ids that end an answer, from the model's own generation settings.
    max_context: most tokens, prompt and answer together, that one request may hold.
    kv_tokens: tokens whose keys and values are held in memory now, over all generations.
    """

    name: str
    placed: str
    stop_ids: frozenset[int]
    max_context: int
    kv_tokens: int

    def encode(self, source: str | Sequence[Message]) -> tuple[int, ...]:
        """Token ids of a plain text, or of a conversation put through the chat template.

        A conversation ends with the template's cue for the assistant to speak, and gets no
        special token twice; a plain text gets no template.
        """
        ...

    def decode(self, ids: Sequence[int]) -> str:
        """The text of these ids, special tokens left out; half a character is U+FFFD."""
        ...

    def generate(
        self, prompt: Sequence[int], sampling: Sampling, *, uid: str | None = None
    ) -> Generator[int, None, None]:
        """Token ids, one forward pass each, the end token included.

        The generator owns its KV cache, which is gone when it ends, raises or is closed.
        `uid` names the request in the trace.

        Raises ValueError at once, before any computation, if the prompt is empty or leaves
        no room in the context for the tokens asked for.
        """
        ...


class TextDecoder(Protocol):
    """Turns the ids of one answer into text, piece by piece. Made as `cls(decode, stop)`.

    stopped: a stop string has been met; no more ids should be pushed.
    """

    stopped: bool

    def push(self, token: int) -> str:
        """Take one more id; the text that may be shown because of it, perhaps empty."""
        ...

    def flush(self) -> str:
        """The rest of the text, once no more ids will come."""
        ...
