import time
from functools import reduce
from typing import NamedTuple

from .shapes import said


class Completion(NamedTuple):
    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int


def _add(done, reply):
    return Completion(
        done.text + reply.text,
        reply.finish_reason,
        done.prompt_tokens,
        done.completion_tokens + reply.tokens,
    )


def collect(replies, prompt_tokens):
    return reduce(_add, replies, Completion("", None, prompt_tokens, 0))


def usage(prompt_tokens, completion_tokens):
    counts = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    return counts | {"total_tokens": sum(counts.values())}


def answer_body(endpoint, uid, model, done):
    choice = {"index": 0, "finish_reason": done.finish_reason, "logprobs": None}
    return {
        "id": endpoint.id_prefix + str(uid),
        "object": endpoint.object,
        "created": int(time.time()),
        "model": model,
        "choices": [choice | said(endpoint, done.text)],
        "usage": usage(done.prompt_tokens, done.completion_tokens),
    }
