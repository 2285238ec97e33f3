"""Writes the text into a file in memory, and the answer as typed dicts."""

import datetime
import io
from types import SimpleNamespace
from typing import TypedDict

from chapters.core import CHAT


class Completion(SimpleNamespace):
    def __init__(self, text, finish_reason, prompt_tokens, completion_tokens):
        super().__init__(
            text=text,
            finish_reason=finish_reason,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
        )


class Usage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class Answer(TypedDict):
    id: str
    object: str
    created: int
    model: str
    choices: list[dict]
    usage: Usage


def collect(replies, prompt_tokens):
    file, tokens = io.StringIO(newline=""), 0
    for reply in replies:
        file.write(reply.text)
        tokens += reply.tokens
    return Completion(file.getvalue(), reply.finish_reason, prompt_tokens, tokens)


def usage(prompt_tokens, completion_tokens):
    return Usage(
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
        total_tokens=prompt_tokens + completion_tokens,
    )


def answer_body(endpoint, uid, model, done):
    choice = {"index": 0, "finish_reason": done.finish_reason, "logprobs": None}
    choice |= (
        {"message": {"role": "assistant", "content": done.text}}
        if endpoint.path == CHAT.path
        else {"text": done.text}
    )
    return Answer(
        id=endpoint.id_prefix + uid,
        object=endpoint.object,
        created=int(datetime.datetime.now(datetime.UTC).timestamp()),
        model=model,
        choices=[choice],
        usage=usage(done.prompt_tokens, done.completion_tokens),
    )
