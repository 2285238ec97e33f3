"""Stubs from solutions: `solutions/` is the source of every exercise file.

What stands between `# BEGIN SOLUTION` and `# END SOLUTION` in a function's body becomes
`raise NotImplementedError("Task …")`. Whether a student has begun is read from the source
too: nothing is run and nothing is guessed.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

from chapters.course.manifest import Chapter, Task, course
from chapters.course.paths import SOLUTIONS, shown
from chapters.course.settings import Settings

BLOCK = re.compile(
    r"^(?P<indent> +)# BEGIN SOLUTION\n.*?^(?P=indent)# END SOLUTION\n", re.MULTILINE | re.DOTALL
)


def stub(chapter: Chapter, task: Task) -> str:
    """The exercise file as a student first sees it."""
    source = (SOLUTIONS / chapter.name / task.file).read_text("utf-8")
    banner = f'raise NotImplementedError("Task {task.id}: {task.title}")\n'
    return BLOCK.sub(lambda block: block["indent"] + banner, source)


def write(settings: Settings, _: str | None = None) -> int:
    """Writes every exercise file anew from its solution; for maintainers, in a clean tree."""
    for chapter in course().values():
        for task in chapter.tasks:
            target = chapter.folder / task.file
            target.write_text(stub(chapter, task), "utf-8")
            print(f"  {shown(target)}")
    return 0


def attempted(chapter: Chapter, task: Task, file: Path) -> bool:
    """False only while every function of the exercise still raises the stub's banner.

    A file that does not parse, or that has lost a function, has been attempted.
    """
    try:
        left = _stubs(file.read_bytes())
    except (SyntaxError, ValueError):
        return True
    return not _stubs(stub(chapter, task)) <= left


def _stubs(source: str | bytes) -> set[str]:
    """The names of the functions whose body, after the docstring, only raises the banner."""
    return {
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and ast.unparse(node.body[-1]).startswith("raise NotImplementedError('Task ")
        and not any(not isinstance(n, ast.Expr) for n in node.body[:-1])
    }
