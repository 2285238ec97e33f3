"""Task 4.1: from token ids to text that only grows.

A token is a piece of bytes. It may hold half a character, and what is half now may be whole
with the next token; so text can be shown only once no later token can change it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

HALF = "\ufffd"  # what a decoder writes where the bytes are no character, or not yet


class IncrementalText:
    """The text of one answer, token by token.

    decode: ids → text, of this model's tokenizer. It may treat the first id of a list
        differently (some tokenizers drop a space there), so a token cannot be decoded alone.

    Whatever `push` and `flush` return, joined, equals `decode` of all the ids; and nothing that
    was returned is ever taken back.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]):
        raise NotImplementedError("Task 4.1: text that only grows")

    def push(self, token: int) -> str:
        """The text that may be shown because of this token, perhaps "".

        Text that ends with `HALF` may still change: it is held back, whole.
        Only a few ids are decoded each time, not all that there were so far.
        """
        raise NotImplementedError("Task 4.1: text that only grows")

    def flush(self) -> str:
        """The rest, once no more tokens will come: also what stayed half."""
        raise NotImplementedError("Task 4.1: text that only grows")
