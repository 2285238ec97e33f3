"""Tapes: what one pipe carried, all the ways to mix two requests, and pictures of who got what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure

from chapters.core import Reply
from chapters.lessons.drawing import DARK, LIGHT

Given = Mapping[str, Sequence[Reply]]  # owner's name → the replies it was given, in order


def replies(name: str, count: int, uid: str = "") -> list[Reply]:
    """The replies of a request called A: their texts are A1 A2 …, and the last says that it is."""
    return [
        Reply(uid or name, f"{name}{number}", 1, "stop" if number == count else None)
        for number in range(1, count + 1)
    ]


def interleavings(first: Sequence[Reply], second: Sequence[Reply]) -> list[list[Reply]]:
    """Every tape that has both requests' replies, each in its own order."""
    length, tapes = len(first) + len(second), []
    for places in combinations(range(length), len(first)):
        ones, others = iter(first), iter(second)
        tapes.append([next(ones) if n in places else next(others) for n in range(length)])
    return tapes


def said(given: Sequence[Reply]) -> str:
    """Replies as a person writes them: A1 B1 B2 A2."""
    return " ".join(reply.text for reply in given) or "nothing"


def handed_out(tape: Sequence[Reply], ways: Mapping[str, Given], title: str, whose: str) -> Figure:
    """A row for each way of handing out: who was given each reply of the tape, or nobody.

    Replies are told apart by their texts. whose: what handed them out, for the caption.
    """
    figure, axes = plt.subplots(figsize=(9, 1.1 + 0.75 * len(ways)), layout="constrained")
    for row, given in enumerate(ways.values()):
        for place, reply in enumerate(tape):
            texts = {name: [one.text for one in got] for name, got in given.items()}
            owner = next((name for name, got in texts.items() if reply.text in got), None)
            face, ink = {"A": (DARK, "white"), "B": (LIGHT, "black")}.get(owner, ("white", "black"))
            style = {"linestyle": "-" if owner else "--", "edgecolor": DARK}
            axes.barh(row, 0.9, 0.6, place, color=face, **style)
            to = f"to {owner or 'nobody'}"
            wrong = owner and not reply.text.startswith(owner)
            text = f"{reply.text} {to}" + (" ✗" if wrong else "")
            axes.text(place + 0.45, row, text, ha="center", va="center", color=ink)
    axes.set_yticks(range(len(ways)), ways)
    axes.set_xticks([place + 0.45 for place in range(len(tape))], range(1, len(tape) + 1))
    axes.set_xlim(-0.1, len(tape))
    axes.set_xlabel("place on the tape, from first to last (✗: not its owner)")
    axes.set_title(title, loc="left")
    axes.invert_yaxis()
    figure.supxlabel(f"({whose})", fontsize=9)
    return figure


def all_tapes(
    tapes: Sequence[Sequence[Reply]],
    right: Mapping[str, Sequence[bool]],
    title: str,
    whose: str,
) -> Figure:
    """A column for each tape, A's replies dark; below, a dot for each way that got it right."""
    owners = [[reply.text.startswith("A") for reply in tape] for tape in tapes]
    places = list(zip(*owners, strict=True))
    figure, axes = plt.subplots(figsize=(9, 2.9 + 0.3 * len(right)), layout="constrained")
    colours = ListedColormap([LIGHT, DARK])
    columns = [number + 0.5 for number in range(len(tapes) + 1)]  # the first tape is number 1
    axes.pcolormesh(columns, range(len(places) + 1), places, cmap=colours, edgecolors="white")
    rows = [len(places) + 0.7 + number for number in range(len(right))]
    for row, verdicts in zip(rows, right.values(), strict=True):
        good = [number for number, verdict in enumerate(verdicts, start=1) if verdict]
        axes.plot(good, [row] * len(good), "o", color=DARK, markersize=4)
    ends = {0.5: "first reply", len(places) - 0.5: "last reply"}
    axes.set_yticks([*ends, *rows], [*ends.values(), *right])
    axes.set_ylim(rows[-1] + 0.6, 0)
    axes.set_xlabel("number of the tape (dark: a reply of A, light: of B; a dot: handed out right)")
    axes.set_title(title, loc="left")
    figure.supxlabel(f"({whose})", fontsize=9)
    return figure
