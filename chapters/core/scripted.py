"""A core that says what it is told, without a model: for checks, demonstrations and old laptops.

Its tokens are bytes (ids 0 to 255), an end token (256), and one id for every longer piece
that a script names. Time can be held: a gated core begins a forward pass and waits in it
for a permit, so that a check decides what happens meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from itertools import chain, count, islice

from chapters.core.gate import Gate
from chapters.core.messages import Message, Sampling
from chapters.core.trace import record

END = 256
# A conversation as text: control characters keep roles and contents apart.
ROLE, CONTENT, AFTER = "\x01", "\x02", "\x03"

Piece = str | bytes | Exception
Script = Mapping[str, Sequence[Piece]] | Callable[[str], Iterable[Piece]]


def echo_and_count(text: str) -> Iterable[Piece]:
    """The default script: the first letters of what was said, then 1 2 3 … without end."""
    return chain((bytes([b]) for b in text[:12].encode()), (f" {n}" for n in count(1)))


class ScriptedCore(Gate):
    """A `Core` whose answers are given beforehand, and whose passes can be held.

    script: answers by the last message's content (or by the plain prompt): a mapping, or a
        function. A piece is one token: text, bytes (half a character, say), or an exception
        to raise in that forward pass. The end token follows by itself. What a mapping does
        not name is answered by `echo_and_count`.
    gated: every forward pass waits for a permit, from the beginning.
    tokens_per_second: sleeps in each pass to make computing take time; None: full speed.
    """

    name = "scripted"
    placed = "without a model"
    stop_ids = frozenset({END})

    def __init__(
        self,
        script: Script | None = None,
        *,
        gated: bool = False,
        tokens_per_second: float | None = None,
        max_context: int = 4096,
    ):
        super().__init__(closed=gated)
        self.script = script or {}
        self.max_context = max_context
        self.forwards = 0
        self.held: dict[object, int] = {}
        self._pause = 1 / tokens_per_second if tokens_per_second else 0
        self._pieces = [bytes([b]) for b in range(256)] + [b""]
        self._texts = [_text(raw) for raw in self._pieces]
        self._ids: dict[str | bytes, int] = {raw: n for n, raw in enumerate(self._pieces)}

    @property
    def kv_tokens(self) -> int:
        """Tokens that a real core would hold keys and values for, over all generations."""
        return sum(tuple(self.held.values()))

    def encode(self, source: str | Sequence[Message]) -> tuple[int, ...]:
        if isinstance(source, str):
            return tuple(source.encode())
        turns = "".join(f"{ROLE}{m.role}{CONTENT}{m.content}{AFTER}" for m in source)
        return tuple(f"{turns}{ROLE}assistant".encode())

    def decode(self, ids: Sequence[int]) -> str:
        try:
            return "".join([self._texts[token] for token in ids])
        except TypeError:  # one of them is no text by itself: half a character
            return b"".join([self._pieces[token] for token in ids]).decode("utf-8", "replace")

    def generate(
        self, prompt: Sequence[int], sampling: Sampling, *, uid: str | None = None
    ) -> Generator[int, None, None]:
        limit = sampling.budget(len(prompt), self.max_context)
        return self._tokens(tuple(prompt), limit, sampling.ignore_eos, uid)

    def _tokens(self, prompt, limit: int, ignore_eos: bool, uid) -> Generator[int, None, None]:
        key = object()
        answer = self._answer(self.decode(prompt), ignore_eos)
        try:
            for number, piece in enumerate(islice(answer, limit)):
                self.held[key] = len(prompt) + number
                self.forwards += 1
                if number == 0:
                    record("prefill", uid, tokens=len(prompt), prompt=prompt)
                else:
                    record("decode", uid)
                if self._pause:
                    time.sleep(self._pause)
                self.pass_gate()
                token = self._ids.get(piece)
                if token is None:
                    token = self._id(piece)
                record("token", uid, token=token)
                yield token
        finally:
            record("kv freed", uid, tokens=self.held.pop(key, 0))

    def _answer(self, prompt: str, ignore_eos: bool) -> Iterable[Piece]:
        said = prompt.rpartition(CONTENT)[2].partition(AFTER)[0]
        if isinstance(self.script, Mapping):
            pieces = self.script.get(said)
            pieces = echo_and_count(said) if pieces is None else pieces
        else:
            pieces = self.script(said)
        return chain(pieces, iter(lambda: b"", None)) if ignore_eos else chain(pieces, [b""])

    def _id(self, piece: Piece) -> int:
        """The id of a piece that is met for the first time; raises it, if it is an exception."""
        if isinstance(piece, Exception):
            raise piece
        raw = piece.encode() if isinstance(piece, str) else piece
        if raw not in self._ids:
            self._ids[raw] = len(self._pieces)
            self._pieces.append(raw)
            self._texts.append(_text(raw))
        self._ids[piece] = self._ids[raw]
        return self._ids[raw]


def _text(raw: bytes) -> str | None:
    """A token's text; None if it is none by itself."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None
