"""Puts any implementation in the place of a chapter's file, under that file's module name.

Python asks the finders in `sys.meta_path` for a module; ours, asked first, answers for the
modules of the chapters. So the reference, a wrong answer or another folder can stand where
`chapters.ch01_http.body` is imported, and neither importer nor imported can tell.

Sources are compiled afresh every time and no `.pyc` is read or written: Python trusts a
`.pyc` by its source's size and whole second, and two quick edits can share both.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path

from chapters.core.protocol import Core
from chapters.course.manifest import Chapter, Task, up_to
from chapters.course.paths import CHAPTERS, SOLUTIONS, shown


@dataclass(frozen=True)
class Implementation:
    """What stands for a module: a file, and perhaps lines to run after it in its namespace."""

    path: Path
    overlay: Path | None = None


def reference(chapter: Chapter, task: Task, overlay: Path | None = None) -> Implementation:
    """The solution of a task, or a wrong answer: an overlay over it."""
    return Implementation(SOLUTIONS / chapter.name / task.file, overlay)


def references(
    last: Chapter, overlays: Mapping[str, Path] | None = None, own: Collection[str] = ()
) -> dict:
    """Module name → the reference, for every exercise file up to chapter `last`.

    overlays: exercise file's name → a wrong answer to lay over it, in chapter `last`.
    own: ids of tasks for which the student's own file, in `chapters/`, stands instead.
    """
    files = {c.module(t): reference(c, t) for c in up_to(last) for t in c.tasks}
    for task in last.tasks:
        if task.file in (overlays or {}):
            files[last.module(task)] = reference(last, task, overlays[task.file])
    for chapter in up_to(last):
        for task in chapter.tasks:
            if task.id in own:
                files[chapter.module(task)] = Implementation(chapter.folder / task.file)
    return files


def build(chapter: Chapter, core: Core):
    """The server as of a chapter, an ASGI app, from what is installed.

    Raises ImportError if the chapter's server.py, which is given, is not there.
    """
    name = f"chapters.{chapter.name}.server"
    try:
        server = import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ImportError(
            f"{shown(chapter.folder / 'server.py')} is not there: it was given, and "
            f"`make reset-chapter-{chapter.number}` puts it back"
        ) from None
    return server.build(core)


class _Loader(SourceFileLoader):
    """Compiles from source; tracebacks call a reference file `<reference …>`."""

    def __init__(self, name: str, implementation: Implementation):
        super().__init__(name, str(implementation.path))
        self.implementation = implementation

    def get_code(self, fullname):
        path = self.implementation.path
        hidden = path.is_relative_to(SOLUTIONS)
        name = f"<reference {path.relative_to(SOLUTIONS)}>" if hidden else shown(path)
        if not path.is_file():
            raise ImportError(f"there is no file {name}")
        return _compiled(path.read_bytes(), name)

    def exec_module(self, module):
        super().exec_module(module)
        overlay = self.implementation.overlay
        if overlay:
            code = compile(overlay.read_bytes(), shown(overlay), "exec", dont_inherit=True)
            exec(code, module.__dict__)


def _compiled(source: bytes, name: str):
    """The code of a file. Raises SyntaxError, with the file's name, whatever is wrong with it."""
    try:
        return compile(source, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        if isinstance(error, SyntaxError) and error.filename:
            raise
        why = str(error) or f"too deeply nested ({type(error).__name__})"
        if b"\0" in source:
            why += "; is the file saved as UTF-16? It must be UTF-8"
        raise SyntaxError(why, (name, None, None, None)) from None


class _Finder:
    def __init__(self, files: Mapping[str, Implementation], folders: Sequence[Path]):
        self.files, self.folders = files, (*folders, CHAPTERS)

    def find_spec(self, fullname: str, path=None, target=None) -> ModuleSpec | None:
        if fullname in self.files:
            return self._spec(fullname, self.files[fullname])
        top, _, inner = fullname.partition(".")
        if top == "chapters" and inner.startswith("ch0") and "." in inner:
            for folder in self.folders:
                stem = folder / inner.replace(".", "/")
                for file in (stem / "__init__.py", stem.with_name(f"{stem.name}.py")):
                    if file.is_file():
                        return self._spec(fullname, Implementation(file))
        return None

    def _spec(self, name: str, implementation: Implementation) -> ModuleSpec | None:
        loader = _Loader(name, implementation)
        return spec_from_file_location(name, implementation.path, loader=loader)


def install(files: Mapping[str, Implementation], folders: Sequence[Path] = ()) -> None:
    """From now on in this process, import `files` in their places.

    files: module name → what stands for it. folders: laid out as `solutions/` is; a chapter's
    module that is not in `files` is looked for there (a submission's own helper files), then
    in `chapters/`. Modules of chapters that were imported before are forgotten.
    """
    sys.meta_path[:] = [f for f in sys.meta_path if not isinstance(f, _Finder)]
    sys.meta_path.insert(0, _Finder(files, folders))
    for name in [n for n in sys.modules if n.startswith("chapters.ch0")]:
        del sys.modules[name]
