"""Draws one streamed answer as aligned rows: tokens, text, events, network reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.ft2font import FT2Font

from chapters.lessons.asking import Answer
from chapters.lessons.drawing import DARK, LIGHT
from chapters.lessons.events import told


def _alphabet() -> dict[str, int]:
    """The letters in which a byte-level tokenizer's vocabulary writes the 256 bytes.

    Bytes that print stand for themselves; the others are called U+0100, U+0101, …
    """
    itself = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in itself]
    named = {chr(0x100 + number): byte for number, byte in enumerate(others)}
    return named | {chr(byte): byte for byte in itself}


ALPHABET = _alphabet()


def token_bytes(tokenizer, token: int) -> bytes:
    """The bytes that a token of a byte-level tokenizer stands for."""
    return bytes(ALPHABET[letter] for letter in tokenizer.id_to_token(token))


def pushed(decoder, tokens: Sequence[int]) -> list[str]:
    """The text that a chapter 4 decoder lets out with each token; the last one's with the rest."""
    texts = [decoder.push(token) for token in tokens]
    return [*texts[:-1], texts[-1] + decoder.flush()]


def aligned_rows(
    tokens: Sequence[bytes], texts: Sequence[str], answers: Mapping[str, Answer], whose: str
) -> Figure:
    """One column a token; below it the text, the event and the network reads that it ended in.

    tokens: their bytes; texts: what each of them let out, perhaps "". answers: how it is called →
    the same stream, once for each way of reading it.
    """
    figure, axes = plt.subplots(figsize=(11, 1.3 + 0.6 * (3 + len(answers))), layout="constrained")
    edges = _edges(texts)
    for number, token in enumerate(tokens):
        _box(axes, 0, number, number + 1, _label(token), held=not texts[number])
    for (left, right), text in zip(pairwise(edges), filter(None, texts), strict=True):
        _box(axes, 1, left, right, _label(text.encode()))
    first = next(iter(answers.values()))
    ends = [*edges, len(tokens) + 1, len(tokens) + 2]  # the finish reason, then [DONE]
    names = [f"event\n{number}" for number in range(1, len(edges))] + ["finish\nreason", "[DONE]"]
    for (left, right), name in zip(pairwise(ends), names, strict=True):
        _box(axes, 2, left, right, name)
    for row, answer in enumerate(answers.values(), 3):
        for left, right, size in _reads(answer, ends):
            _box(axes, row, left, right, f"{size} B" if right - left > 0.6 else "")
    counts = [f"{len(tokens)} tokens", "text", f"{len(told(first))} events"]
    counts += [f"{name}: {len(answer.reads)} reads" for name, answer in answers.items()]
    axes.set_yticks(range(len(counts)), counts)
    axes.set_xlim(-1.1, len(tokens) + 2.6)
    axes.set_ylim(len(counts) - 0.4, -0.6)
    axes.set_xticks(np.arange(len(tokens)) + 0.5, range(1, len(tokens) + 1))
    axes.set_xlabel("token")
    axes.set_title("One answer in four units: tokens, text, events, reads", loc="left")
    figure.supxlabel(
        "grey: no text yet, half a character · left of token 1: status and headers · B: bytes\n"
        f"({whose})",
        fontsize=9,
    )
    return figure


def _edges(texts: Sequence[str]) -> list[int]:
    """Where the pieces of text begin and end, in tokens."""
    return [0, *(number for number, text in enumerate(texts, 1) if text)]


def _reads(answer: Answer, ends: Sequence[int]) -> list[tuple[float, float, int]]:
    """(left, right, bytes) of each read, drawn to the scale of the events that it holds."""
    head = answer.raw.index(b"\r\n\r\n") + 4
    bytes_at = [0, head, *(event.end for event in told(answer)), len(answer.raw)]
    places = [-1, *ends, ends[-1] + 0.5]
    sizes = [len(read.data) for read in answer.reads]
    cuts = np.interp([0, *accumulate(sizes)], bytes_at, places)
    return [(left, right, size) for (left, right), size in zip(pairwise(cuts), sizes, strict=True)]


def _box(axes, row: int, left: float, right: float, label: str, held: bool = False) -> None:
    colour = LIGHT if held else "white"
    axes.barh(row, right - left, 0.7, left, color=colour, edgecolor=DARK, linewidth=0.8)
    axes.text((left + right) / 2, row, label, ha="center", va="center", fontsize=7.5)


def _label(data: bytes) -> str:
    """Text that can be shown, or the bytes in hexadecimal."""
    try:
        return "".join(map(_shown, data.decode()))
    except UnicodeDecodeError:
        return "\n".join(f"{byte:02x}" for byte in data)


def _shown(character: str) -> str:
    """A character that the figure's font has, else its number."""
    if character == " ":
        return "␣"
    if character.isprintable() and _font().get_char_index(ord(character)):
        return character
    return repr(character)[1:-1] if ord(character) < 128 else f"U+{ord(character):04X}"


def _font() -> FT2Font:
    return font_manager.get_font(font_manager.findfont(font_manager.FontProperties()))
