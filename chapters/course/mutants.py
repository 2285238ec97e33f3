"""`make mutants`: small changes to the reference that nobody chose, graded by the checks.

A mutant that keeps full marks shows a promise that no check looks at; or it is equivalent: no
caller can tell it from the reference. Those are listed, with the reason, in
`tests/equivalent_mutants.toml`. For maintainers: it takes minutes.
"""

from __future__ import annotations

import ast
import copy
import tempfile
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.progress import track

from chapters.course import grade, graft
from chapters.course.grade import AT_ONCE, chosen, grade_task
from chapters.course.graft import Implementation
from chapters.course.manifest import Chapter, Task, course
from chapters.course.paths import SOLUTIONS, TESTS
from chapters.course.settings import Settings

EQUIVALENT = TESTS / "equivalent_mutants.toml"
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult}

FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
SECONDS = 10  # a mutant that loops for ever need not be waited for as long as a student's answer


@dataclass(frozen=True)
class Mutant:
    """One change to one exercise file; `name` says what and where, and is stable under moves."""

    chapter: Chapter
    task: Task
    name: str
    source: str


def mutants(chapter: Chapter, task: Task) -> Iterator[Mutant]:
    """Every mutant of a task's reference: one change each, inside functions only."""
    tree = ast.parse((SOLUTIONS / chapter.name / task.file).read_text("utf-8"))
    seen: dict[str, int] = {}
    for position, node in enumerate(ast.walk(tree)):
        _mark_functions(node)
        if not hasattr(node, "where"):
            continue
        for number in range(len(_changes(node))):
            mutated = copy.deepcopy(tree)
            target = next(n for i, n in enumerate(ast.walk(mutated)) if i == position)
            before = ast.unparse(target).partition("\n")[0]
            apply, after = _changes(target)[number]
            apply()
            ast.fix_missing_locations(mutated)
            what = f"{task.id} {node.where}: {before} -> {after}"
            seen[what] = seen.get(what, 0) + 1
            name = what if seen[what] == 1 else f"{what} #{seen[what]}"
            yield Mutant(chapter, task, name, ast.unparse(mutated))


def _mark_functions(node: ast.AST) -> None:
    """Mark a function and all in its body with its name; its docstring and arguments are not."""
    if isinstance(node, FUNCTION) and not hasattr(node, "where"):
        node.where = node.name
        for statement in _body(node):
            for inner in ast.walk(statement):
                inner.where = node.name


def _body(function: ast.AST) -> list:
    has_docstring = ast.get_docstring(function, clean=False) is not None
    return function.body[1:] if has_docstring else function.body


def _changes(node: ast.AST) -> list:
    """(what changes the node in place, how it reads afterwards), for each change that fits it."""
    changes = []
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        other = COMPARISONS[type(node.ops[0])]()
        changes.append((lambda: node.ops.__setitem__(0, other), type(other).__name__))
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        changes.append((lambda: setattr(node, "op", other), type(other).__name__))
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        other = ARITHMETIC[type(node.op)]()
        changes.append((lambda: setattr(node, "op", other), type(other).__name__))
    elif isinstance(node, ast.Constant):
        changes += _constants(node)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        test = node.test
        negated = ast.UnaryOp(ast.Not(), test)
        changes.append((lambda: setattr(node, "test", negated), "not"))
    elif isinstance(node, ast.Return) and node.value is not None:
        changes.append((lambda: setattr(node, "value", ast.Constant(None)), "return None"))
    if isinstance(node, FUNCTION):
        changes += _deletions(node, "body", first=len(node.body) - len(_body(node)))
    elif isinstance(node, ast.stmt):
        for field in ("body", "orelse", "finalbody"):
            changes += _deletions(node, field)
    return changes


def _constants(node: ast.Constant) -> list:
    value = node.value
    if isinstance(value, bool):
        others = [not value]
    elif isinstance(value, int):
        others = [value + 1]
    elif isinstance(value, str | bytes) and value:
        others = [value[:0]]
    else:
        others = []
    return [(lambda o=other: setattr(node, "value", o), repr(other)) for other in others]


def _deletions(node: ast.AST, field: str, first: int = 0) -> list:
    """Each statement of a block replaced by `pass`, where that is a change."""
    statements = getattr(node, field, [])
    return [
        (lambda i=i: statements.__setitem__(i, ast.Pass()), f"without {_shown(statement)}")
        for i, statement in enumerate(statements)
        if i >= first and not isinstance(statement, (ast.Pass, *FUNCTION))
    ]


def _shown(statement: ast.AST) -> str:
    return ast.unparse(statement).partition("\n")[0]


def survives(mutant: Mutant) -> bool:
    """True if the checks give it full marks."""
    chapter, task = mutant.chapter, mutant.task
    with tempfile.TemporaryDirectory(prefix="mutant-") as folder:
        path = Path(folder, chapter.name, task.file)
        path.parent.mkdir()
        path.write_text(mutant.source, "utf-8")
        own = {t.id: graft.reference(chapter, t) for t in chapter.tasks}
        own[task.id] = Implementation(path)
        return grade_task(chapter, task, own, graft.references(chapter)).status == "passed"


def main(settings: Settings, _: str | None = None) -> int:
    """Grade all mutants, of one chapter if CHAPTER says so; 0 if every survivor is explained."""
    chapters = [chosen(str(settings.chapter))] if settings.chapter else list(course().values())
    made = [m for chapter in chapters for task in chapter.tasks for m in mutants(chapter, task)]
    grade.SECONDS = SECONDS
    explained = tomllib.loads(EQUIVALENT.read_text("utf-8")) if EQUIVALENT.exists() else {}
    console = Console(highlight=False, soft_wrap=True, markup=False)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        verdicts = track(pool.map(survives, made), "mutants", len(made), console=console)
        alive = [mutant.name for mutant, lives in zip(made, verdicts, strict=True) if lives]
    for name in alive:
        console.print(name, style="dim" if name in explained else "bold")
        if name in explained:
            console.print(f"    equivalent: {explained[name]}", style="dim")
    unexplained = [name for name in alive if name not in explained]
    killed = len(made) - len(alive)
    console.print(
        f"{len(made)} mutants: {killed} killed, {len(alive) - len(unexplained)} equivalent"
    )
    console.print(f"{len(unexplained)} survive unexplained")
    return 1 if unexplained else 0
