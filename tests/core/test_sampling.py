"""`sample` against transformers' own processors, and what must hold for any logits at all."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import TemperatureLogitsWarper, TopKLogitsWarper, TopPLogitsWarper

from chapters.core.messages import Sampling
from chapters.core.sampling import probabilities, sample

WAYS = [
    Sampling(temperature=1.0),
    Sampling(temperature=0.6),
    Sampling(temperature=1.7, top_k=5),
    Sampling(temperature=1.0, top_p=0.7),
    Sampling(temperature=0.8, top_k=9, top_p=0.8),
    Sampling(temperature=1.3, top_k=1000, top_p=0.2),
]

logits_of_any_kind = st.lists(
    st.floats(-(2.0**100), 2.0**100, width=32) | st.floats(-20, 20, width=32) | st.just(-math.inf),
    min_size=1,
    max_size=30,
).filter(lambda values: max(values) > -math.inf)
ways_of_any_kind = st.builds(
    Sampling,
    temperature=st.floats(1e-300, 1e-6) | st.floats(1e-4, 100),
    top_k=st.integers(0, 40),
    top_p=st.floats(0, 1),
)


def expected(logits, way):
    """The exact distribution, [vocab], by transformers' processors in transformers' order."""
    scores = TemperatureLogitsWarper(way.temperature)(None, logits[None].double())
    if way.top_k:
        scores = TopKLogitsWarper(way.top_k)(None, scores)
    if way.top_p < 1:
        scores = TopPLogitsWarper(way.top_p)(None, scores)
    return scores.softmax(dim=-1)[0]


def drawn(logits, way, seed):
    return sample(logits, way, torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_the_distribution_is_transformers(way):
    for seed in range(50):
        logits = 3 * torch.randn(40, generator=torch.Generator().manual_seed(seed))
        probs = probabilities(logits, way)
        torch.testing.assert_close(
            (probs / probs.sum()).double(), expected(logits, way), atol=1e-5, rtol=1e-4
        )


@pytest.mark.parametrize("way", WAYS, ids=repr)
def test_draws_follow_the_distribution(way):
    """Chi-square over 5000 draws with a fixed seed, under its mean plus six deviations."""
    logits = 2 * torch.randn(20, generator=torch.Generator().manual_seed(3))
    generator = torch.Generator().manual_seed(11)
    draws = torch.tensor([sample(logits, way, generator) for _ in range(5000)])
    seen = torch.bincount(draws, minlength=20).double()
    wanted = expected(logits, way) * 5000
    possible = wanted > 0
    assert seen[~possible].sum() == 0
    distance = ((seen - wanted)[possible] ** 2 / wanted[possible]).sum()
    freedom = int(possible.sum()) - 1
    assert distance <= freedom + 6 * math.sqrt(2 * freedom)


@given(logits_of_any_kind, ways_of_any_kind)
@settings(derandomize=True, deadline=None)
def test_some_possible_token_is_always_chosen(values, way):
    logits = torch.tensor(values)
    probs = probabilities(logits, way) if way.temperature > 1e-5 else logits.softmax(-1)
    assert probs.isfinite().all() and probs.max() > 0
    token = drawn(logits, way, seed=0)
    assert isinstance(token, int) and 0 <= token < len(values)
    assert values[token] > -math.inf
    if way.top_k:
        assert sum(v > values[token] for v in values) < way.top_k


@given(logits_of_any_kind, ways_of_any_kind)
@settings(derandomize=True, deadline=None)
def test_top_p_keeps_as_few_as_reach_it(values, way):
    way = Sampling(temperature=max(way.temperature, 1e-4), top_p=way.top_p)
    whole = probabilities(torch.tensor(values), Sampling(temperature=way.temperature))
    kept = probabilities(torch.tensor(values), way)
    kept = kept[kept > 0]
    assert kept.sum() >= min(way.top_p, float(whole.sum())) - 1e-5
    assert len(kept) == 1 or kept.sum() - kept.min() < way.top_p + 1e-5


@pytest.mark.parametrize(
    "way",
    [
        Sampling(temperature=0),
        Sampling(temperature=1e-9),
        Sampling(temperature=2e-5),
        Sampling(temperature=5.0, top_p=0.0),
        Sampling(temperature=5.0, top_k=1),
    ],
    ids=repr,
)
def test_one_token_left_is_the_likeliest(way):
    logits = torch.randn(50_000, generator=torch.Generator().manual_seed(1))
    assert {drawn(logits, way, seed) for seed in range(5)} == {int(logits.argmax())}


def test_greedy_needs_no_generator_and_takes_the_first_of_equals():
    assert sample(torch.tensor([1.0, 3.0, 3.0]), Sampling(), None) == 1


def test_the_logits_are_left_as_they_were():
    logits = torch.randn(30, generator=torch.Generator().manual_seed(1))
    before = logits.clone()
    drawn(logits, Sampling(temperature=0.5, top_k=3, top_p=0.5), seed=1)
    assert torch.equal(logits, before)


def test_a_generator_makes_draws_repeatable_and_is_the_only_source():
    logits, way = torch.zeros(1000), Sampling(temperature=1.0)
    tokens = []
    for other in range(3):
        torch.manual_seed(other)
        tokens.append(drawn(logits, way, seed=5))
    assert len(set(tokens)) == 1
    assert len({drawn(logits, way, seed) for seed in range(20)}) > 10


def test_half_precision_logits_are_weighed_in_float32():
    logits = torch.randn(2000, generator=torch.Generator().manual_seed(2)).to(torch.bfloat16)
    probs = probabilities(logits, Sampling(temperature=1.0, top_p=0.9))
    assert probs.dtype == torch.float32
    torch.testing.assert_close(
        (probs / probs.sum()).double(),
        expected(logits, Sampling(temperature=1.0, top_p=0.9)),
        atol=1e-5,
        rtol=1e-2,
    )
