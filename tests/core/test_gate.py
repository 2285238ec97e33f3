"""A real model whose passes are held and whose caches are weighed."""

import threading
from copy import deepcopy

import pytest

from chapters.core import Sampling
from chapters.course.gate import ModelGate

PROMPT, SAMPLING = (5, 6, 7), Sampling(max_tokens=4, ignore_eos=True)


@pytest.fixture
def own(tiny_model, tiny_tokenizer):
    """A core whose model no other test uses: the gate stays on it."""
    from chapters.core.torch_core import TorchCore

    return TorchCore(deepcopy(tiny_model), tiny_tokenizer, "tiny")


def kv_bytes(model, tokens):
    config = model.config
    numbers = 2 * config.num_hidden_layers * config.num_key_value_heads * config.head_dim
    return numbers * tokens * model.dtype.itemsize


def test_it_weighs_what_is_alive(own):
    gate = ModelGate(own, gated=False)
    one, other = (own.generate(PROMPT, SAMPLING) for _ in range(2))
    next(one)
    assert gate.kv_bytes == kv_bytes(own.model, 3)
    next(one), next(other)
    assert gate.kv_bytes == kv_bytes(own.model, 4 + 3)
    one.close()
    assert gate.kv_bytes == kv_bytes(own.model, 3)
    other.close()
    assert gate.kv_bytes == 0


def test_a_pass_ends_when_it_may(own):
    gate = ModelGate(own, gated=True)
    tokens, generation = [], own.generate(PROMPT, SAMPLING)
    gate.allow(2)
    tokens += [next(generation), next(generation)]
    thread = threading.Thread(target=lambda: tokens.extend(generation))
    thread.start()
    assert len(tokens) == 2
    gate.open()
    thread.join(10)
    assert len(tokens) == 4
