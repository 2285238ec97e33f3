"""What the checks of this chapter wait with: for the student's own coroutines, never for a time."""

import asyncio

from chapters.course.calling import HASTY
from chapters.course.checking import case, fail

PATIENCE = 3.0  # seconds until something that should end is said to hang; decides nothing
_hung = False


def patience() -> float:
    """How long to wait for what should come by itself; less, once something has hung."""
    return HASTY if _hung else PATIENCE


def hurry() -> None:
    """Something has hung: be less patient from now on."""
    global _hung
    _hung = True


def give_up(why: str, **told) -> None:
    """`fail`, because something has hung."""
    hurry()
    fail(why, **told)


async def settle() -> None:
    """Let everything on the loop go as far as it can by itself."""
    for _ in range(50):
        await asyncio.sleep(0)


async def end_of(task: asyncio.Task, sent: str, why: str):
    """The task's result, or its exception. Says where it waits, should it never end."""
    done, _ = await asyncio.wait({task}, timeout=patience())
    if not done:
        where = "nowhere"
        for frame in task.get_stack()[-1:]:
            code = frame.f_code
            where = f"{code.co_filename}, line {frame.f_lineno}, in {code.co_name}"
        give_up(why, sent=sent, got=f"no end: it waits at {where}", expected="an end")
    with case(sent):
        return task.result()
