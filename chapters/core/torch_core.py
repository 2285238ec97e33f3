"""The generation core on a real model: prefill, decode, sample, and the KV cache of each request.

The forward pass is transformers'; the loop around it, the sampling and the life of the cache are
written out here. It knows nothing of HTTP, of threads or of other requests; several generations
may run side by side, each in a thread of its own or taking turns in one.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Generator, Sequence

import torch
from jinja2 import TemplateError
from transformers import DynamicCache, PreTrainedModel, PreTrainedTokenizerBase

from chapters.core import trace
from chapters.core.messages import Message, Sampling
from chapters.core.sampling import sample

ANY_CONTEXT = 2048  # where neither the model nor its tokenizer names a limit


class TorchCore:
    """A `Core` (see protocol.py) on a causal language model and its tokenizer.

    model: in evaluation mode, already on its device.
    name: what /v1/models lists.
    """

    def __init__(self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, name: str):
        self.model, self.tokenizer, self.name = model, tokenizer, name
        self.stop_ids = _stop_ids(model, tokenizer)
        self.max_context = _max_context(model, tokenizer)
        self.kv_tokens = 0
        self._lock = threading.Lock()  # over kv_tokens

    @property
    def placed(self) -> str:
        """Where it computes and in what, for people: "on cpu in float32"."""
        return f"on {self.model.device.type} in {str(self.model.dtype).removeprefix('torch.')}"

    def encode(self, source: str | Sequence[Message]) -> tuple[int, ...]:
        """Token ids of a plain text, or of a conversation put through the chat template.

        The tokenizer encodes outside the interpreter lock: a long text does not hold up others.

        Raises ValueError if the model has no chat template, or its template refuses the turns.
        """
        if isinstance(source, str):
            return tuple(self.tokenizer(source, verbose=False)["input_ids"])
        text = self._render(source)
        # The template has written every special token that belongs here.
        ids = self.tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"]
        return tuple(ids)

    def decode(self, ids: Sequence[int]) -> str:
        """The text of these ids, special tokens left out; half a character is U+FFFD."""
        return self.tokenizer.decode(
            list(ids), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )

    def generate(
        self, prompt: Sequence[int], sampling: Sampling, *, uid: str | None = None
    ) -> Generator[int, None, None]:
        """Token ids, one forward pass each, the end token included.

        Nothing is computed before the first `next`. The generator owns its KV cache, which is gone
        when it ends, raises or is closed.

        Raises ValueError at once if the prompt is empty or leaves no room in the context.
        """
        prompt = tuple(prompt)
        count = sampling.budget(len(prompt), self.max_context)
        return self._generate(prompt, sampling, count, uid)

    def _generate(self, prompt, sampling, count, uid):
        device = self.model.device
        generator = _generator(device, sampling.seed)
        cache = DynamicCache(config=self.model.config)
        held = 0
        ids = torch.tensor([prompt], device=device)  # [1, prompt], and [1, 1] in every later step
        try:
            for step in range(count):
                held += self._hold(ids.shape[1])
                if step == 0:
                    trace.record("prefill", uid, tokens=len(prompt))
                else:
                    trace.record("decode", uid)
                with torch.inference_mode():  # never around a yield: the caller would run in it
                    logits = self._forward(ids, cache)
                    token = sample(logits, sampling, generator)
                trace.record("token", uid, token=token)
                yield token
                if token in self.stop_ids and not sampling.ignore_eos:
                    return
                ids = torch.tensor([[token]], device=device)
        except Exception as error:
            # The frames of a failed pass hold keys and values; a kept traceback must not.
            traceback.clear_frames(error.__traceback__)
            raise
        finally:
            cache.layers.clear()
            self._hold(-held)
            trace.record("kv freed", uid, tokens=held)

    def _forward(self, ids: torch.Tensor, cache: DynamicCache) -> torch.Tensor:
        """One pass over `ids`, [1, tokens], which adds their keys and values to the cache.

        Returns the logits of the last position, [vocab]; nobody would read the others.
        """
        out = self.model(input_ids=ids, cache=cache, use_cache=True, logits_to_keep=1)
        return out.logits[0, -1]

    def _hold(self, tokens: int) -> int:
        """Count `tokens` more, or fewer, in memory; returns them."""
        with self._lock:
            self.kv_tokens += tokens
        return tokens

    def _render(self, messages: Sequence[Message]) -> str:
        if not self.tokenizer.chat_template:
            raise ValueError(
                f"{self.name} has no chat template, so it cannot answer messages; "
                "it continues plain text"
            )
        turns = [{"role": m.role, "content": m.content} for m in messages]
        try:
            return self.tokenizer.apply_chat_template(
                turns, add_generation_prompt=True, tokenize=False
            )
        except TemplateError as error:
            raise ValueError(
                f"{self.name}'s chat template refuses these messages: {error}"
            ) from error


def _generator(device: torch.device, seed: int | None) -> torch.Generator:
    generator = torch.Generator(device)
    if seed is None:
        generator.seed()
    else:
        generator.manual_seed(seed % 2**64)  # the seeds that torch knows; negative ones wrap
    return generator


def _stop_ids(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> frozenset[int]:
    """The end tokens that the model's generation settings name; else its config, else tokenizer."""
    settings = model.generation_config, model.config.get_text_config(), tokenizer
    for source in settings:
        ids = getattr(source, "eos_token_id", None)
        if ids is not None:
            return frozenset([ids] if isinstance(ids, int) else ids)
    return frozenset()


def _max_context(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """Positions that the model was made for; else what its tokenizer says; else a modest number."""
    positions = getattr(model.config.get_text_config(), "max_position_embeddings", None)
    if positions:
        return positions
    # A tokenizer that knows no limit says about 1e30.
    limit = tokenizer.model_max_length
    return limit if limit < 10**9 else ANY_CONTEXT
