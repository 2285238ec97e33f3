"""answer_body builds usage by itself, and `usage` forgets the total.

misunderstood: a function that this chapter's checks do not call need not work
seen in: an ordinary slip
task: 1.3
check: test_usage
"""

_answer_body = answer_body


def answer_body(endpoint, uid, model, done):
    total = done.prompt_tokens + done.completion_tokens
    got = _answer_body(endpoint, uid, model, done)
    return got | {"usage": got["usage"] | {"total_tokens": total}}


def usage(prompt_tokens, completion_tokens):
    return {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
