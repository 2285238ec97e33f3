"""What the checks of this chapter wait with: for the student's own coroutines, never for a time."""

import asyncio

from chapters.course.checking import HASTY, WATCHDOG, fail

_patience = WATCHDOG - HASTY


async def settle() -> None:
    """Let everything on the loop go as far as it can by itself."""
    for _ in range(50):
        await asyncio.sleep(0)


async def end_of(task: asyncio.Task, sent: str, why: str):
    """The task's result, or its exception. Says where it waits, should it never end."""
    global _patience
    done, _ = await asyncio.wait({task}, timeout=_patience)
    if not done:
        _patience = HASTY
        stack = task.get_stack()
        where = "nowhere"
        if stack:
            code = stack[-1].f_code
            where = f"{code.co_filename}, line {stack[-1].f_lineno}, in {code.co_name}"
        fail(why, sent=sent, got=f"no end: it waits at {where}", expected="an end")
    return task.result()
