"""The text decoder of the worker from this chapter on: both tasks' parts in a row. Given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chapters.ch04_streaming.stops import StopStrings
from chapters.ch04_streaming.text import IncrementalText


class StreamedText:
    """A `TextDecoder` that says what it may as soon as it may."""

    def __init__(self, decode: Callable[[Sequence[int]], str], stop: Sequence[str] = ()):
        self.text, self.stops, self.stop = IncrementalText(decode), StopStrings(stop), stop

    @property
    def stopped(self) -> bool:
        return self.stops.stopped

    def push(self, token: int) -> str:
        text = self.text.push(token)
        return self.stops.feed(text) if text and self.stop else text

    def flush(self) -> str:
        return self.stops.feed(self.text.flush()) + self.stops.flush()
