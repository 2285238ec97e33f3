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

    What a name stands for in the end counts. A file that cannot be read or parsed, or that
    has lost a function, has been attempted.
    """
    try:
        left = _stubs(file.read_bytes())
    except (SyntaxError, ValueError, MemoryError, RecursionError, OSError):
        return True
    return not _stubs(stub(chapter, task)) <= left


def _stubs(source: str | bytes) -> set[str]:
    """The names, such as Handler.__call__, that stand for a function that raises the banner."""
    bindings = _Bindings()
    bindings.visit(ast.parse(source))
    return {name for name, is_stub in bindings.found.items() if is_stub}


class _Bindings(ast.NodeVisitor):
    """What each name of a module and of its classes is bound to last: a stub, or anything else."""

    def __init__(self):
        self.found: dict[str, bool] = {}
        self.scope = ""

    def bind(self, name: str, is_stub: bool = False) -> None:
        name = self.scope + name
        for known in self.found:
            if known.startswith(f"{name}.") or name.endswith("*"):
                self.found[known] = False
        self.found[name] = is_stub

    def visit_FunctionDef(self, node) -> None:
        raises = ast.unparse(node.body[-1]).startswith("raise NotImplementedError('Task ")
        self.bind(node.name, raises and all(isinstance(n, ast.Expr) for n in node.body[:-1]))

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ClassDef(self, node) -> None:
        self.bind(node.name)
        outer, self.scope = self.scope, f"{self.scope}{node.name}."
        for statement in node.body:
            self.visit(statement)
        self.scope = outer

    def visit_Name(self, node) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.bind(node.id)

    def visit_Attribute(self, node) -> None:
        if not isinstance(node.ctx, ast.Load):
            self.bind(ast.unparse(node))

    def visit_alias(self, node) -> None:
        self.bind(node.asname or node.name)

    def visit_Lambda(self, node) -> None:
        """What it binds stays inside."""
