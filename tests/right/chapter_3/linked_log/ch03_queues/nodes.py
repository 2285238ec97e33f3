"""A log of values that one side appends to and a reader follows: a linked list of events."""

from __future__ import annotations

import asyncio
from typing import Any


class Node:
    """A place in the log. `filled` is set once it has a value and a place behind it."""

    __slots__ = ("behind", "filled", "value")

    def __init__(self):
        self.filled = asyncio.Event()
        self.value: Any = None
        self.behind: Node | None = None

    def fill(self, value: Any) -> Node:
        """Put a value here; the new place behind it, which is empty."""
        self.value, self.behind = value, Node()
        self.filled.set()
        return self.behind
