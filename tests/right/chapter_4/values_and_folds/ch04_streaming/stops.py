"""Knuth, Morris and Pratt: for each stop string, how many of its letters the text ends with."""

from __future__ import annotations

from collections.abc import Sequence


class StopStrings:
    def __init__(self, stop: Sequence[str] = ()):
        self.stopped = False
        self._held = ""
        self._searches = [Search(word) for word in stop]

    def feed(self, text: str) -> str:
        if self.stopped:
            return ""
        ends = [search.feed(text) for search in self._searches]
        whole = self._held + text
        begins = [
            len(self._held) + end - len(search.word)
            for search, end in zip(self._searches, ends, strict=True)
            if end is not None
        ]
        if begins:
            self.stopped, self._held = True, ""
            return whole[: min(begins)]
        cut = len(whole) - max((search.matched for search in self._searches), default=0)
        self._held = whole[cut:]
        return whole[:cut]

    def flush(self) -> str:
        rest, self._held = self._held, ""
        return rest


class Search:
    """For one word. matched: how many of its letters are the end of the text so far."""

    def __init__(self, word: str):
        self.word, self.matched = word, 0
        self._fall = [0]  # after n letters and a misfit, how many letters still fit
        for letter in word[1:]:
            self._fall.append(self._next(self._fall[-1], letter))

    def feed(self, text: str) -> int | None:
        """How far into the text the word is complete for the first time; None if it is not."""
        for end, letter in enumerate(text, 1):
            self.matched = self._next(self.matched, letter)
            if self.matched == len(self.word):
                return end
        return None

    def _next(self, matched: int, letter: str) -> int:
        while matched and self.word[matched] != letter:
            matched = self._fall[matched - 1]
        return matched + (self.word[matched] == letter)
