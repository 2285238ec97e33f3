"""The text decoder of the worker from this chapter on: both tasks' parts in a row. Given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from chapters.ch04_streaming.stops import StopStrings
from chapters.ch04_streaming.text import IncrementalText


class StreamedText:
    """A `TextDecoder` that says what it may as soon as it may."""

    def __init__(self, decode: Callable[[Sequence[int]], str], stop: Sequence[str] = ()):
        self.text, self.stops, self.stop = IncrementalText(decode), StopStrings(stop), stop
        self.stopped = False

    def push(self, token: int) -> str:
        text = self.text.push(token)
        if self.stop:
            text = self.stops.feed(text)
            self.stopped = self.stops.stopped
        return text

    def flush(self) -> str:
        return self.stops.feed(self.text.flush()) + self.stops.flush()
