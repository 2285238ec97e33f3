"""Task 1.3: the JSON answer, with the true finish reason and the true usage.

Values in, values out: no sockets, no model.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

from chapters.core import CHAT, Endpoint, Reply


@dataclass(frozen=True, slots=True)
class Completion:
    """All that one request gave. Tokens are counted, never guessed from the text."""

    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int


def collect(replies: Iterable[Reply], prompt_tokens: int) -> Completion:
    """Join the replies of one request.

    replies: at least one; each holds a piece of the text (perhaps ""), how many tokens it
        cost (`tokens`), and, on the last one, why generation ended (`finish_reason`).
    prompt_tokens: how many ids the prompt had.
    """
    raise NotImplementedError("Task 1.3: the JSON answer, with true finish reason and usage")


def usage(prompt_tokens: int, completion_tokens: int) -> dict:
    """OpenAI's `usage` object: prompt_tokens, completion_tokens and total_tokens, their sum."""
    raise NotImplementedError("Task 1.3: the JSON answer, with true finish reason and usage")


def answer_body(endpoint: Endpoint, uid: str, model: str, done: Completion) -> dict:
    """The answer as the object that becomes JSON.

    endpoint: CHAT or TEXT (given); uid: the request's id, `endpoint.id_prefix` goes before it.

        {"id": …, "object": endpoint.object, "created": now, in seconds since 1970, as an int,
         "model": model, "choices": [choice], "usage": {…}}

    The one choice has "index" 0, "finish_reason", "logprobs" None, and
        for CHAT   "message": {"role": "assistant", "content": the text, "" if there is none}
        for TEXT   "text": the text

    Source: OpenAI's API reference, "The chat completion object", "The completion object".
    """
    raise NotImplementedError("Task 1.3: the JSON answer, with true finish reason and usage")
