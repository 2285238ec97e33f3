"""One pass over the replies, and an answer that is built up field by field."""

import time
from dataclasses import dataclass

from chapters.core import TEXT


@dataclass
class Completion:
    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int


def collect(replies, prompt_tokens):
    result = Completion("", "", prompt_tokens, 0)
    for reply in replies:
        result.text += reply.text
        result.completion_tokens += reply.tokens
        result.finish_reason = reply.finish_reason or result.finish_reason
    return result


def usage(prompt_tokens, completion_tokens):
    return dict(
        total_tokens=prompt_tokens + completion_tokens,
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
    )


def answer_body(endpoint, uid, model, done):
    choice = {"finish_reason": done.finish_reason, "index": 0, "logprobs": None}
    if endpoint == TEXT:
        choice["text"] = done.text
    else:
        choice["message"] = dict(content=done.text, role="assistant")
    return {
        "model": model,
        "object": endpoint.object,
        "id": endpoint.id_prefix + uid,
        "created": round(time.time() - 0.5),
        "usage": usage(done.prompt_tokens, done.completion_tokens),
        "choices": [choice],
        "system_fingerprint": None,
    }
