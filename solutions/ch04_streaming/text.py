"""Task 4.1: from token ids to text that only grows.

A token is a piece of bytes. It may hold half a character, and what is half now may be whole
with the next token; so text can be shown only once no later token can change it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

HALF = "\ufffd"  # what a decoder writes where the bytes are no character, or not yet


class IncrementalText:
    """The text of one answer, token by token.

    decode: ids → text, of this model's tokenizer. Some tokenizers drop a space in front of the
        first id's text, so that a token decoded alone may lack it; some ids have no text.

    What `push` and `flush` return, joined, equals `decode` of all the ids. What was returned has
    been shown and is never taken back.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]):
        # BEGIN SOLUTION
        self.decode = decode
        self.ids: list[int] = []  # the last ones: some that were shown, then those held back
        self.shown = ""  # the text of those that were shown
        self.last = 0  # where among them those begin that were shown last
        # END SOLUTION

    def push(self, token: int) -> str:
        """Take one more id; the text that may be shown because of it, perhaps "".

        While the text so far ends with `HALF`, it may still change: the new part is held back.
        As soon as it does not, all of it is shown. Of a long answer, only the last few ids are
        decoded each time: decoding all of them for each token would take longer and longer.
        """
        # BEGIN SOLUTION
        self.ids.append(token)
        text = self.decode(self.ids)
        if text.endswith(HALF) or len(text) <= len(self.shown):
            return ""
        new, self.shown = text[len(self.shown) :], text
        if len(self.ids) > 8:  # more context would only make each decoding longer
            del self.ids[: self.last]
            self.shown = self.decode(self.ids)
        self.last = len(self.ids)
        return new
        # END SOLUTION

    def flush(self) -> str:
        """The rest, once no more ids will come: also what has stayed half. "" if there is none."""
        # BEGIN SOLUTION
        rest = self.decode(self.ids)[len(self.shown) :]
        self.ids, self.shown, self.last = [], "", 0
        return rest
        # END SOLUTION
