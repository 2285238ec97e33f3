"""Does TorchCore decode as fast as a bare loop over the same transformers model?

    python -m bench.decode

Both run in one process and take turns step by step, over equally many tokens, so that whatever
slows the machine slows both; the ratio of each pair of steps is taken, then the median over the
pairs. `DTYPE=` chooses the dtype. The target is 0.95.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import torch
from transformers import DynamicCache

from chapters.core.loading import load
from chapters.core.messages import Message, Sampling
from chapters.core.torch_core import TorchCore

PROMPT = [Message("user", "Tell me a long story about a lighthouse.")]
WARM_UP = 8  # steps left out of the count, the prefill first
STEPS = 150


def bare_loop(model, prompt: tuple[int, ...]) -> Iterator[int]:
    """Token ids, greedy, without end: no more than a forward pass and an argmax each."""
    cache = DynamicCache(config=model.config)
    ids = torch.tensor([prompt], device=model.device)
    while True:
        with torch.inference_mode():
            out = model(input_ids=ids, cache=cache, use_cache=True, logits_to_keep=1)
        token = int(out.logits[0, -1].argmax())
        yield token
        ids = torch.tensor([[token]], device=model.device)


def compare(core: TorchCore, steps: int = STEPS) -> tuple[float, float, float]:
    """Median seconds a step of the core and of the bare loop, and the core's relative speed.

    The speed is the median over the pairs of steps; the two take turns in going first.
    """
    prompt = core.encode(PROMPT)
    everything = Sampling(max_tokens=WARM_UP + steps, ignore_eos=True)
    ours, bare = core.generate(prompt, everything), bare_loop(core.model, prompt)
    pairs = []
    for step in range(WARM_UP + steps):
        if step % 2:
            pairs.append((seconds(ours), seconds(bare)))
        else:
            pairs.append((seconds(bare), seconds(ours))[::-1])
    pairs = pairs[WARM_UP:]
    ratio = statistics.median(b / a for a, b in pairs)
    return statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs), ratio


def seconds(tokens: Iterator[int]) -> float:
    """How long the next token takes."""
    began = time.perf_counter()
    next(tokens)
    return time.perf_counter() - began


def main() -> None:
    core = load(None)
    ours, bare, ratio = compare(core)
    model = core.model
    print(
        f"decode, {core.name}, {model.dtype} on {model.device}: ratio {ratio:.3f} of a bare loop "
        f"({1 / ours:.1f} against {1 / bare:.1f} tokens/s, {STEPS} pairs of steps)"
    )


if __name__ == "__main__":
    main()
