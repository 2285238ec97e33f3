"""A real model in a lesson: its forward passes can be held, and its KV caches are weighed.

Both hang on a hook behind the model's forward pass; the core knows nothing of it.
"""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary

from chapters.core.torch_core import TorchCore


class ModelGate:
    """Holds each forward pass of a core's model at its end, until it may end.

    gated: False: nothing is held, the caches are weighed all the same.
    """

    def __init__(self, core: TorchCore, gated: bool):
        self._permits = threading.Semaphore(0)
        self._open = not gated
        self._alive: WeakValueDictionary = WeakValueDictionary()  # every tensor of a KV cache
        core.model.register_forward_hook(self._after, with_kwargs=True)

    @property
    def kv_bytes(self) -> int:
        """The size of all keys and values that are in memory now, whoever still refers to them."""
        return sum(t.numel() * t.element_size() for t in list(self._alive.values()))

    def allow(self, passes: int = 1) -> None:
        """Let this many forward passes end, those that are held already first."""
        self._permits.release(passes)

    def open(self) -> None:
        """Let every pass end, now and from now on."""
        self._open = True
        self._permits.release(1000)

    def _after(self, model, args, kwargs, output) -> None:
        for layer in kwargs["cache"].layers:
            self._alive |= {id(layer.keys): layer.keys, id(layer.values): layer.values}
        if not self._open:
            self._permits.acquire()
