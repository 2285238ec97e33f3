"""Says "stop" whatever ended the answer.

misunderstood: the finish reason is a constant of the format
seen in: mini-sglang#126
task: 1.3
check: test_finish_reason
"""

_collect = collect


def collect(replies, prompt_tokens):
    done = _collect(replies, prompt_tokens)
    return Completion(done.text, "stop", done.prompt_tokens, done.completion_tokens)
