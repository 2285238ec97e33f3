"""Copies the fields that the lab sheet shows, and loses top_p, top_k, ignore_eos and limit_param.

misunderstood: what the example request does not use need not be copied
seen in: an ordinary slip
task: 1.2
check: test_good_request
"""

from chapters.core import CheckedRequest, Sampling

_parse = parse_request


def parse_request(body, served, *, streaming=False):
    found = _parse(body, served, streaming=streaming)
    s = found.sampling
    sampling = Sampling(s.max_tokens, s.temperature, seed=s.seed, stop=s.stop)
    return CheckedRequest(found.source, sampling, found.stream, found.include_usage)
