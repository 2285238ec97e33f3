"""`TorchCore`: the right tokens, and keys and values that live exactly as long as they should."""

import gc
import itertools
import threading
import time
import weakref
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
import torch
from transformers import (
    GenerationConfig,
    LlamaForCausalLM,
    PretrainedConfig,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from chapters.core import torch_core, trace
from chapters.core.messages import Message, Sampling
from chapters.core.torch_core import TorchCore

PROMPT = (1, 5, 6, 9, 30)
ON = Sampling(max_tokens=20, ignore_eos=True)
DRAWN = Sampling(max_tokens=20, ignore_eos=True, temperature=1.0, top_k=40, top_p=0.95, seed=7)


def reference(model, prompt, tokens):
    """What transformers' own greedy `generate` says after the prompt."""
    ids = torch.tensor([prompt])
    out = model.generate(
        ids, attention_mask=torch.ones_like(ids), max_new_tokens=tokens, do_sample=False
    )
    return out[0, len(prompt) :].tolist()


@contextmanager
def passes(model):
    """Yields a list that grows by one at each forward pass: the shape that lm_head was given."""
    shapes = []
    hook = model.lm_head.register_forward_pre_hook(lambda _, args: shapes.append(args[0].shape))
    try:
        yield shapes
    finally:
        hook.remove()


@pytest.fixture
def caches(monkeypatch):
    """The caches that are made during the test, kept alive: their tensors must go all the same."""
    made = []

    def spy(*args, **kwargs):
        made.append(torch_core_cache(*args, **kwargs))
        return made[-1]

    torch_core_cache = torch_core.DynamicCache
    monkeypatch.setattr(torch_core, "DynamicCache", spy)
    return made


@pytest.fixture
def no_collector():
    """Without the collector only the last reference frees a tensor."""
    gc.disable()
    yield
    gc.enable()


def keys_and_values(cache):
    tensors = [t for layer in cache.layers for t in (layer.keys, layer.values)]
    assert len(tensors) == 6
    return [weakref.ref(t) for t in tensors]


def alive(refs):
    return [ref for ref in refs if ref() is not None]


@pytest.mark.parametrize(
    "text, word",
    [
        ("What is the capital of France?", "Paris"),
        ("Tell me about the sea.", "sea"),
        ("数到十🎉", ""),
    ],
)
def test_greedy_is_transformers_greedy_on_the_embedded_model(embedded, text, word):
    prompt = embedded.encode([Message("user", text)])
    ours = list(embedded.generate(prompt, Sampling(max_tokens=40)))
    assert ours == reference(embedded.model, prompt, 40)
    assert word in embedded.decode(ours)


@pytest.mark.parametrize("family", ["llama", "qwen3"])
@pytest.mark.parametrize("seed", range(4))
def test_greedy_is_transformers_greedy_on_tiny_models(tiny_model, tiny_tokenizer, family, seed):
    torch.manual_seed(seed)
    config = tiny_model.config
    if family == "qwen3":
        model = Qwen3ForCausalLM(Qwen3Config(**config.to_dict() | {"model_type": "qwen3"})).eval()
    else:
        model = LlamaForCausalLM(config).eval()
    core = TorchCore(model, tiny_tokenizer, family)
    prompt = torch.randint(3, 96, (3 + 4 * seed,)).tolist()
    ours = list(core.generate(prompt, Sampling(max_tokens=45)))
    assert ours == reference(model, prompt, 45)
    assert len(set(ours)) > 1 or len(ours) == 1


def test_a_seed_reproduces_its_tokens_among_others(tiny):
    alone = list(tiny.generate(PROMPT, DRAWN))
    others = [Sampling(max_tokens=30, ignore_eos=True, temperature=1.0, seed=s) for s in (1, 2)]
    first = tiny.generate(PROMPT, others[0])
    mixed, second = [], tiny.generate((4, 5), others[1])
    for token, _, _ in zip(tiny.generate(PROMPT, DRAWN), first, second, strict=False):
        torch.manual_seed(0)  # torch's own generator has no part in it
        mixed.append(token)
    assert mixed == alone
    assert len(set(alone)) > 5


def test_a_seed_reproduces_its_tokens_in_threads(tiny):
    alone = list(tiny.generate(PROMPT, DRAWN))
    found = [None] * 4
    together = threading.Barrier(4)

    def work(n):
        together.wait(10)
        found[n] = list(tiny.generate(PROMPT, DRAWN))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert found == [alone] * 4
    assert tiny.kv_tokens == 0


def test_seeds_matter_and_no_seed_is_a_fresh_one(tiny):
    def draw(seed):
        wanted = Sampling(max_tokens=40, ignore_eos=True, temperature=1.5, seed=seed)
        return tuple(tiny.generate(PROMPT, wanted))

    assert draw(1) != draw(2)
    assert draw(None) != draw(None)
    assert draw(-1) == draw(2**64 - 1)
    assert len(draw(2**70)) == 40


def test_logits_are_computed_for_one_position_a_pass(tiny):
    with passes(tiny.model) as shapes:
        list(tiny.generate(PROMPT, ON))
    assert shapes == [(1, 1, 32)] * 20


def test_a_token_costs_one_pass_and_the_last_is_followed_by_none(tiny):
    with passes(tiny.model) as shapes:
        tokens = tiny.generate(PROMPT, Sampling(max_tokens=3, ignore_eos=True))
        assert shapes == []
        for n in range(1, 4):
            next(tokens)
            assert len(shapes) == n
        assert next(tokens, None) is None
        assert len(shapes) == 3


def test_keys_and_values_grow_by_a_token_a_step(tiny, caches):
    tokens = tiny.generate(PROMPT, ON)
    assert tiny.kv_tokens == 0 and caches == []
    for n in range(4):
        next(tokens)
        assert tiny.kv_tokens == len(PROMPT) + n == caches[0].get_seq_length()
    other = tiny.generate((1, 2, 3), ON)
    next(other)
    assert tiny.kv_tokens == len(PROMPT) + 3 + 3
    tokens.close()
    assert tiny.kv_tokens == 3
    other.close()
    assert tiny.kv_tokens == 0


@pytest.mark.parametrize("how", ["end", "close", "drop"])
def test_keys_and_values_are_gone_at_once(tiny, caches, no_collector, how):
    tokens = tiny.generate(PROMPT, ON)
    next(tokens)
    refs = keys_and_values(caches[0])
    assert len(alive(refs)) == 6
    if how == "end":
        for _ in tokens:
            refs = keys_and_values(caches[0])
    elif how == "close":
        tokens.close()
    else:
        del tokens
    assert alive(refs) == []
    assert tiny.kv_tokens == 0


@pytest.mark.parametrize("failing_pass", [0, 3])
def test_keys_and_values_are_gone_when_a_pass_fails(tiny, caches, no_collector, failing_pass):
    refs, count = [], itertools.count()

    def fail(*_):
        if next(count) == failing_pass:
            refs.extend(
                weakref.ref(layer.keys) for layer in caches[0].layers if layer.keys is not None
            )
            raise RuntimeError("a pass that fails")

    hook = tiny.model.model.layers[2].self_attn.o_proj.register_forward_pre_hook(fail)
    try:
        with pytest.raises(RuntimeError, match="a pass that fails") as caught:
            list(tiny.generate(PROMPT, ON))
    finally:
        hook.remove()
    assert len(refs) == 3
    assert alive(refs) == []  # although the exception, with its traceback, is still held:
    assert caught.value.__traceback__ is not None
    assert tiny.kv_tokens == 0


def test_the_caller_does_not_run_in_inference_mode(tiny):
    for _ in tiny.generate(PROMPT, ON):
        assert not torch.is_inference_mode_enabled()


def test_no_gradients_are_recorded(tiny):
    seen = []
    hook = tiny.model.lm_head.register_forward_hook(lambda _, __, out: seen.append(out))
    list(tiny.generate(PROMPT, Sampling(max_tokens=2, ignore_eos=True)))
    hook.remove()
    assert len(seen) == 2 and not any(out.requires_grad for out in seen)


@pytest.mark.parametrize(
    "prompt, max_tokens, numbers",
    [((), 5, []), ((3,) * 60, 5, ["60", "5", "64"]), ((3,) * 64, None, ["64"])],
)
def test_what_does_not_fit_is_refused_before_any_pass(tiny, prompt, max_tokens, numbers):
    with passes(tiny.model) as shapes, pytest.raises(ValueError) as caught:
        tiny.generate(prompt, Sampling(max_tokens=max_tokens))
    assert shapes == []
    assert all(number in str(caught.value) for number in numbers), caught.value


def test_the_room_in_the_context_may_be_used_to_the_last_token(tiny):
    prompt = (3,) * 60
    assert len(list(tiny.generate(prompt, Sampling(max_tokens=4, ignore_eos=True)))) == 4
    assert len(list(tiny.generate(prompt, Sampling(ignore_eos=True)))) == 4


def test_each_end_token_of_the_generation_settings_ends(tiny, tiny_tokenizer, monkeypatch):
    answer = list(tiny.generate(PROMPT, ON))
    ends = [answer[3], 95]
    monkeypatch.setattr(tiny.model, "generation_config", GenerationConfig(eos_token_id=ends))
    core = TorchCore(tiny.model, tiny_tokenizer, "ends")
    assert core.stop_ids == frozenset(ends)
    first = answer.index(answer[3])
    assert list(core.generate(PROMPT, Sampling(max_tokens=20))) == answer[: first + 1]
    assert list(core.generate(PROMPT, ON)) == answer


def test_end_tokens_come_from_the_config_or_the_tokenizer_if_need_be(
    tiny, tiny_tokenizer, monkeypatch
):
    monkeypatch.setattr(tiny.model, "generation_config", GenerationConfig())
    monkeypatch.setattr(tiny.model.config, "eos_token_id", 9)
    assert TorchCore(tiny.model, tiny_tokenizer, "").stop_ids == {9}
    monkeypatch.setattr(tiny.model.config, "eos_token_id", None)
    assert TorchCore(tiny.model, tiny_tokenizer, "").stop_ids == {2}


def test_the_context_is_the_models_or_the_tokenizers(tiny, tiny_tokenizer, monkeypatch):
    assert tiny.max_context == 64
    no_limit = SimpleNamespace(
        config=PretrainedConfig(), generation_config=tiny.model.generation_config
    )
    monkeypatch.setattr(tiny_tokenizer, "model_max_length", 77)
    assert TorchCore(no_limit, tiny_tokenizer, "").max_context == 77
    monkeypatch.setattr(tiny_tokenizer, "model_max_length", 10**30)
    assert TorchCore(no_limit, tiny_tokenizer, "").max_context == 2048


def test_no_special_token_comes_twice(tiny):
    assert tiny.encode("hello world") == (1, 5, 6)
    assert tiny.encode([Message("user", "hello")]) == (1, 3, 5, 2, 4)


def test_a_model_without_template_says_so(tiny, monkeypatch):
    monkeypatch.setattr(tiny.tokenizer, "chat_template", None)
    with pytest.raises(ValueError, match="tiny has no chat template"):
        tiny.encode([Message("user", "hello")])
    assert tiny.encode("hello") == (1, 5)


def test_what_a_template_refuses_is_the_clients_mistake(tiny, monkeypatch):
    monkeypatch.setattr(tiny.tokenizer, "chat_template", "{{ raise_exception('user first') }}")
    with pytest.raises(ValueError, match="user first"):
        tiny.encode([Message("assistant", "hello")])


@pytest.mark.parametrize(
    "text", ["Don 't , stop .", "  two  spaces", "日本語", "👩‍👩‍👧", "a\n\nb\t"]
)
def test_decode_gives_the_text_as_it_was(embedded, text):
    ids = embedded.encode(text)
    assert embedded.decode(ids) == text
    assert embedded.decode((1, *ids, 2)) == text


def test_decode_leaves_the_spaces_before_punctuation(tiny):
    assert tiny.decode((1, 5, 7, 6, 2)) == "hello , world"


def test_half_a_character_is_the_replacement_character(embedded):
    ids = embedded.encode("👧")
    assert len(ids) > 1 and embedded.decode(ids[:1]) == "\ufffd"


def test_a_long_text_does_not_hold_up_other_threads(embedded):
    text = "Some words, 123 numbers. " * 40_000
    done = threading.Event()
    thread = threading.Thread(target=lambda: (embedded.encode(text), done.set()))
    began = last = time.perf_counter()
    longest = 0.0
    thread.start()
    while not done.is_set():
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    thread.join()
    assert longest < (time.perf_counter() - began) / 2


def test_the_trace(tiny):
    with trace.watching() as watch:
        tokens = list(tiny.generate(PROMPT, Sampling(max_tokens=3, ignore_eos=True), uid="a"))
    assert {e.uid for e in watch} == {"a"}
    a, b, c = ({"token": token} for token in tokens)
    assert [(e.kind, e.data) for e in watch] == [
        ("prefill", {"tokens": 5}),
        ("token", a),
        ("decode", {}),
        ("token", b),
        ("decode", {}),
        ("token", c),
        ("kv freed", {"tokens": 7}),
    ]


def test_the_trace_of_a_closed_one_and_of_one_never_begun(tiny):
    with trace.watching() as watch:
        tokens = tiny.generate(PROMPT, ON, uid="a")
        tiny.generate(PROMPT, ON, uid="b").close()
        next(tokens)
        tokens.close()
    assert [(e.kind, e.uid) for e in watch] == [
        ("prefill", "a"),
        ("token", "a"),
        ("kv freed", "a"),
    ]
