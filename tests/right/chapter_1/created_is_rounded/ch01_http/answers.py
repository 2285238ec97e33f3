import time
from dataclasses import dataclass

from chapters.core import CHAT


@dataclass(frozen=True)
class Completion:
    text: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int


def collect(replies, prompt_tokens):
    replies = list(replies)
    return Completion(
        "".join(r.text for r in replies),
        replies[-1].finish_reason,
        prompt_tokens,
        sum(r.tokens for r in replies),
    )


def usage(prompt_tokens, completion_tokens):
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }


def answer_body(endpoint, uid, model, done):
    said = (
        {"message": {"role": "assistant", "content": done.text}}
        if endpoint is CHAT
        else {"text": done.text}
    )
    return {
        "id": endpoint.id_prefix + uid,
        "object": endpoint.object,
        "created": round(time.time()),
        "model": model,
        "choices": [{"index": 0, **said, "finish_reason": done.finish_reason, "logprobs": None}],
        "usage": usage(done.prompt_tokens, done.completion_tokens),
    }
