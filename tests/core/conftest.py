"""Tiny models with random weights for these tests.

torch is imported by the fixtures that need it: the other tests of this folder start without.
"""

import pytest

TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<{{ m.role }}> {{ m.content }} </s> {% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
WORDS = ["<unk>", "<s>", "</s>", "<user>", "<assistant>", "hello", "world", ","]
SHAPE = {
    "vocab_size": 96,
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
    "max_position_embeddings": 64,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "initializer_range": 0.4,
}


@pytest.fixture(scope="session")
def tiny_tokenizer():
    """Eight words; plain text gets a beginning-of-text token, and the template writes its own."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    backend = Tokenizer(models.WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="<unk>"))
    backend.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    backend.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", 1)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=backend,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        additional_special_tokens=["<user>", "<assistant>"],
        chat_template=TEMPLATE,
    )


@pytest.fixture(scope="session")
def tiny_model():
    """A Llama with random weights: three layers, 96 tokens, a context of 64, an end token 2."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    return LlamaForCausalLM(LlamaConfig(**SHAPE)).eval()


@pytest.fixture
def tiny(tiny_model, tiny_tokenizer):
    from chapters.core.torch_core import TorchCore

    return TorchCore(tiny_model, tiny_tokenizer, "tiny")
