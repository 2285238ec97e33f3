"""Ten requests in one forward pass: a batch, with no HTTP and no scheduler around it.

    with Batch() as batch:          # a process of its own, with a model of its own
        texts = batch.run(["…", …], tokens=6)
        batch.events                # its trace

All prompts have the same number of tokens, all answers too, so nothing is padded and nobody
leaves early. Requests that come and go at different times need a scheduler.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import astuple

from chapters.core import trace
from chapters.core.trace import Event, record, watching
from chapters.course.paths import ROOT

TOGETHER = "batch"  # the uid under which a pass of all rows is recorded


class Batch:
    """The process. It talks as `LiveServer`'s does: a JSON object a line, and it ends with us.

    threads: how many threads PyTorch computes with; events: what happened in the last run.
    """

    def __init__(self, threads: int = 1):
        self.events: list[Event] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "chapters.lessons.batching", str(threads)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
        )
        self.placed = self._hear()["placed"]

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()
        self.process.wait()

    def run(self, prompts: Sequence[str], tokens: int) -> list[str]:
        """The continuation of each prompt, all computed together."""
        self.process.stdin.write(json.dumps([list(prompts), tokens]) + "\n")
        self.process.stdin.flush()
        heard = self._hear()
        self.events = [Event(*event) for event in heard["events"]]
        return heard["texts"]

    def _hear(self) -> dict:
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the batch's process has ended")
        return json.loads(line)


def generate(core, prompts: Sequence[str], count: int) -> list[str]:
    """The most likely `count` tokens after each prompt: a forward pass a step, for all rows."""
    import torch

    encoded = [core.encode(prompt) for prompt in prompts]
    ids, rows = torch.tensor(encoded, device=core.model.device), list(map(str, range(len(encoded))))
    for row in rows:
        _note("received", row, method="POST", path="none: there is no HTTP here")
    columns = list(_steps(core.model, ids, count, len(rows)))
    for row in rows:
        _note("finished", row)
    return [core.decode(answer) for answer in zip(*columns, strict=True)]


def _steps(model, ids, count: int, rows: int) -> Iterator[list[int]]:
    """One token for each row, `count` times."""
    import torch
    from transformers import DynamicCache

    cache = DynamicCache(config=model.config)
    for step in range(count):
        record("decode" if step else "prefill", TOGETHER, rows=rows, tokens=ids.shape[1])
        with torch.inference_mode():
            logits = model(input_ids=ids, cache=cache, use_cache=True, logits_to_keep=1).logits
            ids = logits[:, -1].argmax(-1, keepdim=True)
            tokens = ids[:, 0].tolist()
        record("token", TOGETHER, tokens=tokens)
        yield tokens


def _note(kind: str, row: str, **data) -> None:
    """Record what happened to one row, as if it were a request of its own."""
    before = trace.lane.set(row)
    record(kind, **data)
    trace.lane.reset(before)


def main(threads: int) -> None:
    """The process of a `Batch`."""
    import torch

    from chapters.core.loading import load

    out, sys.stdout = sys.stdout, sys.stderr
    torch.set_num_threads(threads)
    core = load()
    print(json.dumps({"placed": core.placed}), file=out, flush=True)
    for line in sys.stdin:
        with watching() as watch:
            texts = generate(core, *json.loads(line))
        told = {"texts": texts, "events": [astuple(event) for event in watch]}
        print(json.dumps(told), file=out, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
