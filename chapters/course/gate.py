"""A real model in a lesson: its forward passes can be held, and its KV caches are weighed.

Both hang on a hook behind the model's forward pass; the core knows nothing of it.
"""

from __future__ import annotations

from weakref import WeakValueDictionary

from chapters.core.gate import Gate
from chapters.core.torch_core import TorchCore


class ModelGate(Gate):
    """Holds each forward pass of a core's model at its end, until it may end.

    gated: False: nothing is held until somebody does; the caches are weighed all the same.
    """

    def __init__(self, core: TorchCore, gated: bool):
        super().__init__(closed=gated)
        self._alive: WeakValueDictionary = WeakValueDictionary()  # every tensor of a KV cache
        core.model.register_forward_hook(self._after, with_kwargs=True)

    @property
    def kv_bytes(self) -> int:
        """The size of all keys and values that are in memory now, whoever still refers to them."""
        return sum(t.numel() * t.element_size() for t in list(self._alive.values()))

    def _after(self, model, args, kwargs, output) -> None:
        for layer in kwargs["cache"].layers:
            self._alive |= {id(layer.keys): layer.keys, id(layer.values): layer.values}
        self.pass_gate()
