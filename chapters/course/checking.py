"""What graded checks are written with: clear failures.

A check says what was sent, what came back, what was expected and why a user would care.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from contextlib import contextmanager

MOST = 2000  # characters of one message
LONGEST = 400  # characters of one value in it
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class CheckFailed(AssertionError):
    """A check's verdict, in words for the student."""


def fail(why: str, *, sent=None, got=None, expected=None) -> None:
    """Raises CheckFailed. `why` says what the fault means to a user; the rest is shown as given.

    A string is shown as it is, another value as Python writes it; both shortened.
    """
    lines = _lines(("sent", sent), ("came back", got), ("expected", expected))
    raise CheckFailed(shorten("\n".join([*lines, f"why       {why}"]), MOST))


def expect(ok: bool, why: str, *, sent=None, got=None, expected=None) -> None:
    """`fail` unless `ok`."""
    if not ok:
        fail(why, sent=sent, got=got, expected=expected)


@contextmanager
def case(sent=None, *, expected=None) -> Iterator[None]:
    """Inside, whatever the student's code raises is shown together with what was sent to it.

    Of cases within cases, the innermost is shown.
    """
    try:
        yield
    except CheckFailed:
        raise
    except BaseException as error:
        if not hasattr(error, "__notes__"):
            for line in _lines(("sent", sent), ("expected", expected)):
                error.add_note(line)
        raise


def _lines(*named) -> list[str]:
    return [
        f"{name:<9} {shorten(value) if isinstance(value, str) else show(value)}"
        for name, value in named
        if value is not None
    ]


def show(value) -> str:
    """A value as Python writes it, shortened; also one that cannot be written."""
    if inspect.iscoroutine(value):
        return "a coroutine: calling an `async def` function gives one, and not its result"
    try:
        return shorten(repr(value))
    except Exception as error:
        return f"<a {type(value).__name__}, whose repr raises {type(error).__name__}>"


def shorten(text: str, limit: int = LONGEST) -> str:
    """`text` at its length or cut in the middle, and fit for any terminal and any file."""
    if len(text) > limit:
        cut = f" … ({len(text)} characters) … "
        start = (limit - len(cut)) * 2 // 3
        text = f"{text[:start]}{cut}{text[start + len(cut) - limit :]}"
    text = CONTROL.sub(lambda found: repr(found[0])[1:-1], text)
    return text.encode("utf-8", "backslashreplace").decode()


def provided(module: str, name: str):
    """`name` from a student's module. Raises CheckFailed if it is not there."""
    file = module.rpartition(".")[2] + ".py"
    try:
        found = getattr(importlib.import_module(module), name, None)
    except (SystemExit, KeyboardInterrupt) as error:
        left = f"{file} ends the program while it is imported: such lines belong in `if __name__ "
        raise ImportError(left + "== '__main__':`").with_traceback(error.__traceback__) from None
    if found is None:
        fail(
            "the other files and the checks use it by this name",
            got=f"{file} has no {name}",
            expected=f"{name}, with the arguments that the exercise was given with",
        )
    return found
