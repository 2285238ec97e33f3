"""`make experiment-2`: whose reply is it? And is a number a name?

Two requests, A and B, share one pipe: A1 B1 B2 A2. First two readers take "the next reply" from
it, each until it has seen a last one; then the registry hands the same replies out by their
uids. After that, two processes name a thousand requests each. The core is scripted, so no model
is needed.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import count

from rich import box
from rich.console import Console
from rich.table import Table

from chapters.core import Generation, GenerationRequest, Reply, Sampling, ScriptedCore
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.paths import ROOT

SAYS = {"ask A": ["A1", "A2"], "ask B": ["B1", "B2"]}
ORDER = "ABBA"  # whose forward pass comes next
REQUESTS = 1000  # that each of two processes names


class TokenByToken:
    """A text decoder for pieces that are whole words: each token's text at once."""

    stopped = False

    def __init__(self, decode, stop: Sequence[str] = ()):
        self.decode = decode

    def push(self, token: int) -> str:
        return self.decode([token])

    def flush(self) -> str:
        return ""


def tape(uid_of: dict[str, str]) -> list[Reply]:
    """What the pipe carries while a core computes A and B in turns."""
    core, two = ScriptedCore(SAYS), Sampling(max_tokens=2)
    running = {
        name: Generation(
            core, GenerationRequest(uid, core.encode(f"ask {name}"), two), TokenByToken
        )
        for name, uid in uid_of.items()
    }
    return [running[name].step() for name in ORDER]


async def next_reply(waiting: bool) -> dict[str, list[Reply]]:
    """Two readers of one pipe, each of whom takes the next reply until a last one.

    waiting: the readers are there first, and replies come one by one; else all are there.
    """
    pipe, given = asyncio.Queue(), {"A": [], "B": []}

    async def read(mine: list[Reply]) -> None:
        while not (mine and mine[-1].last):
            mine.append(await pipe.get())

    async def fill() -> None:
        for reply in tape({"A": "A", "B": "B"}):
            pipe.put_nowait(reply)
            for _ in range(10 if waiting else 0):
                await asyncio.sleep(0)  # whoever waits for this reply takes it now

    readers = [read(mine) for mine in given.values()]
    await asyncio.gather(*([*readers, fill()] if waiting else [fill(), *readers]))
    return given


def registered(leaves: bool) -> tuple[dict[str, list[Reply]], int]:
    """The same tape through the registry, and how many replies it dropped.

    leaves: A's client leaves after A1, and A is closed.
    """
    registry = import_module("chapters.ch02_request_ids.registry").Registry()
    states = {name: registry.open() for name in "AB"}
    for number, reply in enumerate(tape({name: state.uid for name, state in states.items()})):
        registry.deliver(reply)
        if leaves and number == 0:
            registry.close(states["A"].uid)
    return {name: state.replies for name, state in states.items()}, registry.discarded


def names(kind: str) -> None:
    """In a process of its own: print the names of its requests."""
    if kind == "new_uid":
        graft.install(graft.references(course()[2]))
        new = import_module("chapters.ch02_request_ids.ids").new_uid
    else:
        new = map(str, count(1)).__next__
    print("\n".join(new() for _ in range(REQUESTS)))


def shared(kind: str) -> tuple[int, str]:
    """How many names two processes have both given, and the first one's seventh."""
    call = f"from chapters.ch02_request_ids.experiment import names; names({kind!r})"
    processes = [
        subprocess.Popen([sys.executable, "-c", call], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    one, other = (process.communicate()[0].split() for process in processes)
    seventh = one[6] if len(one[6]) < 16 else f"{one[6][:12]}…"
    return len({*one} & {*other}), seventh


def said(replies: Sequence[Reply]) -> str:
    return " ".join(reply.text for reply in replies)


def main() -> None:
    """Measure and show."""
    graft.install(graft.references(course()[2]))
    console = Console(highlight=False)
    table = Table("who takes what", "A was given", "B was given", "dropped", box=box.SIMPLE)
    for how, waiting in (("readers wait", True), ("all is there already", False)):
        given = asyncio.run(next_reply(waiting))
        table.add_row(f"the next reply, {how}", said(given["A"]), said(given["B"]), "")
    for how, leaves in (("", False), (", A's client leaves after A1", True)):
        given, dropped = registered(leaves)
        table.add_row(f"by its uid{how}", said(given["A"]), said(given["B"]), str(dropped))
    console.print(f"\nThe pipe carries {said(tape({'A': 'A', 'B': 'B'}))}; A2 and B2 are last ones")
    console.print(table)
    table = Table("named by", "the 7th name", "names given by both", box=box.SIMPLE)
    for how, kind in (("its number: 1, 2, 3, …", "number"), ("new_uid", "new_uid")):
        both, seventh = shared(kind)
        table.add_row(how, seventh, f"{both} of {REQUESTS}")
    console.print(f"Two processes name {REQUESTS} requests each")
    console.print(table)


if __name__ == "__main__":
    main()
