"""The two endpoints, a request to one of them that has been checked, and its tokens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from chapters.core.errors import ApiError
from chapters.core.messages import Message, Sampling
from chapters.core.protocol import Core


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One of the two ways to ask, and what its answers are called."""

    path: str
    id_prefix: str
    object: str
    chunk_object: str


CHAT = Endpoint("/v1/chat/completions", "chatcmpl-", "chat.completion", "chat.completion.chunk")
TEXT = Endpoint("/v1/completions", "cmpl-", "text_completion", "text_completion")


@dataclass(frozen=True, slots=True)
class CheckedRequest:
    """A request in which everything has been checked that can be checked without a model.

    source: a conversation, or a plain prompt; limit_param: the field that max_tokens came in.
    """

    source: tuple[Message, ...] | str
    sampling: Sampling
    stream: bool = False
    include_usage: bool = False
    continuous_usage: bool = False
    limit_param: str = "max_tokens"


# How a checked request is answered: the result is a response, itself an ASGI app.
Answer = Callable[[Endpoint, CheckedRequest], Awaitable[Callable]]


def prepare(core: Core, request: CheckedRequest) -> tuple[tuple[int, ...], Sampling]:
    """Token ids of the prompt, and the sampling with `max_tokens` settled.

    Tokenises, so it may take a while: no forward pass is made.
    Raises ApiError 400 if the prompt leaves no room in the context for what was asked.
    """
    source, sampling = request.source, request.sampling
    param = "prompt" if isinstance(source, str) else "messages"
    limit = sampling.max_tokens
    if limit is not None and limit >= core.max_context:
        message = (
            f"{request.limit_param} is {limit}, but the context holds {core.max_context} tokens"
        )
        raise ApiError(400, message, request.limit_param, "context_length_exceeded")
    try:
        prompt = core.encode(source)
    except ValueError as error:
        raise ApiError(400, f"{param}: {error}", param) from None
    if limit is not None and len(prompt) < core.max_context:
        param = request.limit_param
    try:
        budget = sampling.budget(len(prompt), core.max_context)
    except ValueError as error:
        raise ApiError(400, f"{param}: {error}", param, "context_length_exceeded") from None
    return prompt, replace(sampling, max_tokens=budget)
