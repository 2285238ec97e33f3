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
        first id's text: a token decoded alone may lack it, and an id that is only a space has no
        text while it is the first, but must not be forgotten. Some ids, such as end tokens,
        have no text anywhere.

    What `push` and `flush` return, joined, equals `decode` of all the ids. What was returned has
    been shown and is never taken back.
    """

    def __init__(self, decode: Callable[[Sequence[int]], str]):
        raise NotImplementedError("Task 4.1: text that only grows")

    def push(self, token: int) -> str:
        """Take one more id; the text that may be shown because of it, perhaps "".

        While the text so far ends with `HALF`, it may still change: what is new is held back,
        either all of it or only each `HALF` at its end. As soon as it does not, all is shown.

        Of a long answer, only the last few ids are decoded each time, at most 64: decoding all
        of them for each token would take longer and longer. That goes for any number of ids
        without text as well. There may be more only while no id has had text yet, and while the
        text goes on ending with `HALF`.
        """
        raise NotImplementedError("Task 4.1: text that only grows")

    def flush(self) -> str:
        """The rest, once no more ids will come: also what has stayed half. "" if there is none."""
        raise NotImplementedError("Task 4.1: text that only grows")
