"""Gives the core an id of its own.

misunderstood: the core's id and the registry's have nothing to do with each other
seen in: an ordinary slip
task: 2.4
check: test_answers
"""

_GenerationRequest, numbers = GenerationRequest, iter(range(1, 10**9))


def GenerationRequest(uid, prompt, sampling):
    return _GenerationRequest(str(next(numbers)), prompt, sampling)
