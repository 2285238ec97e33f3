"""Tuples with names, folded; dicts put together from halves."""

import calendar
import time
from functools import reduce
from typing import NamedTuple

from chapters.core import CHAT, TEXT


class Completion(NamedTuple):
    text: str
    finish_reason: str | None
    prompt_tokens: int
    completion_tokens: int


SAID = {
    CHAT: lambda text: {"message": {"role": "assistant", "content": text}},
    TEXT: lambda text: {"text": text},
}


def _more(done, reply):
    return Completion(
        done.text + reply.text,
        reply.finish_reason,
        done.prompt_tokens,
        done.completion_tokens + reply.tokens,
    )


def collect(replies, prompt_tokens):
    return reduce(_more, replies, Completion("", None, prompt_tokens, 0))


def usage(prompt_tokens, completion_tokens):
    counts = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    return {**counts, "total_tokens": sum(counts.values())}


def answer_body(endpoint, uid, model, done):
    text, reason, *counts = done
    choice = SAID[endpoint](text) | {"finish_reason": reason, "index": 0, "logprobs": None}
    head = {"id": "".join((endpoint.id_prefix, uid)), "object": endpoint.object, "model": model}
    now = calendar.timegm(time.gmtime())
    return head | {"created": now, "choices": [choice], "usage": usage(*counts)}
