"""How the next token is chosen from a model's logits. It knows nothing of requests or caches."""

from __future__ import annotations

import torch

from chapters.core.messages import Sampling

# At or under this temperature a draw would not differ from the likeliest token any more, and
# dividing by it could overflow.
GREEDY = 1e-5


def sample(logits: torch.Tensor, sampling: Sampling, generator: torch.Generator | None) -> int:
    """Chooses one token id.

    logits: the model's scores for one position, [vocab].
    sampling: temperature, then top_k, then top_p are applied, in this order.
    generator: the request's own source of randomness, on the logits' device; greedy needs none.
    """
    if sampling.temperature <= GREEDY:
        return int(logits.argmax())
    probs = probabilities(logits, sampling)
    return int(torch.multinomial(probs, num_samples=1, generator=generator))


def probabilities(logits: torch.Tensor, sampling: Sampling) -> torch.Tensor:
    """The chance of each token to be drawn, [vocab], float32; at least one token keeps a chance.

    The temperature must be above GREEDY. The sum is 1, or less by what top_p has cut off.
    """
    scores = logits.float() / sampling.temperature
    if 0 < sampling.top_k < len(scores):
        least = scores.topk(sampling.top_k).values[-1]
        scores = scores.masked_fill(scores < least, float("-inf"))
    probs = scores.softmax(dim=-1)
    if sampling.top_p < 1:
        ranked, order = probs.sort(descending=True)
        likelier = ranked.cumsum(dim=-1) - ranked  # the sum of all that come before, [vocab]
        cut = likelier >= sampling.top_p
        cut[0] = False
        probs[order[cut]] = 0.0
    return probs
