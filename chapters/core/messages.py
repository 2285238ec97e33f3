"""What travels between the HTTP side and the worker, and nothing else.

Two rules: every message is an immutable value that may cross threads, and no message
holds a tensor or an exception (an exception's traceback would keep a KV cache alive).
"""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_MAX_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation: `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the next token is chosen, and when to stop.

    max_tokens: most tokens to generate, the end token included; None: not said.
    temperature: 0 is greedy; otherwise logits are divided by it.
    top_k: keep only the k likeliest tokens; 0 keeps all.
    top_p: keep the likeliest tokens whose probabilities first reach this sum; 1 keeps all.
    seed: reproduces the tokens of this request, whatever runs beside it; None: a fresh one.
    stop: strings that end the text and are not part of it.
    ignore_eos: go on to max_tokens, past the model's end token (load generators ask for it).
    """

    max_tokens: int | None = None
    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int | None = None
    stop: tuple[str, ...] = ()
    ignore_eos: bool = False

    def budget(self, prompt_tokens: int, max_context: int) -> int:
        """Most tokens that may be generated after a prompt of this length.

        Without `max_tokens`: 256, or what room is left. Raises ValueError if the prompt is
        empty or leaves no room for what was asked.
        """
        room = max_context - prompt_tokens
        if prompt_tokens < 1:
            raise ValueError("the prompt is empty: expected at least one token")
        if room < max(1, self.max_tokens or 0):
            wanted = f" and max_tokens {self.max_tokens}" if self.max_tokens else ""
            raise ValueError(
                f"a prompt of {prompt_tokens} tokens{wanted} does not fit: "
                f"the context holds {max_context} tokens, prompt and answer together"
            )
        return self.max_tokens or min(DEFAULT_MAX_TOKENS, room)


@dataclass(frozen=True, slots=True)
class GenerationRequest:
    """Work for the backend: `uid` is ours, unique; `prompt` is token ids."""

    uid: str
    prompt: tuple[int, ...]
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class Abort:
    """Forget this request: nobody waits for it any more."""

    uid: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a request ended without an answer, in words a client may read.

    kind: "invalid_request" (the client's to mend) or "server_error" (ours).
    param: the request's field that was wrong, if one was.
    """

    kind: str
    message: str
    param: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What one step of one request gave.

    text: new text, perhaps empty; tokens: how many tokens this step cost.
    finish_reason: "stop" or "length" on the last reply; error: set on the last reply instead.
    """

    uid: str
    text: str = ""
    tokens: int = 0
    finish_reason: str | None = None
    error: Failure | None = None

    @property
    def last(self) -> bool:
        """True when no further reply of this request will come."""
        return self.finish_reason is not None or self.error is not None
