"""The notebooks: `make notebook` opens them, `make lessons` writes them anew.

`notebooks/source/*.py` (jupytext's percent format) is the source of every notebook. What is
committed beside it, with the outputs of a whole run, is what people read; nobody edits it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from chapters.course.paths import ROOT
from chapters.course.settings import Settings, UserError

NOTEBOOKS = ROOT / "notebooks"
SECONDS = 300  # for one cell, before it is said to hang


def sources() -> list[Path]:
    """The source of every notebook, in the order of the course."""
    return sorted((NOTEBOOKS / "source").glob("*.py"))


def read(source: Path):
    """The notebook of a source, without outputs; its cells' ids stay the same from run to run."""
    import jupytext

    notebook = jupytext.read(source)
    for number, cell in enumerate(notebook.cells):
        cell.id, cell.metadata = f"cell-{number}", {}
    notebook.metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    return notebook


def execute(source: Path):
    """The notebook, run from top to bottom in a fresh kernel.

    Raises nbclient's CellExecutionError at the first cell that fails.
    """
    from nbclient import NotebookClient

    notebook = read(source)
    client = NotebookClient(
        notebook,
        timeout=SECONDS,
        kernel_name="python3",
        resources={"metadata": {"path": str(NOTEBOOKS)}},
        record_timing=False,
    )
    client.execute()
    return notebook


def written(source: Path) -> Path:
    """Where the notebook of a source is kept."""
    return NOTEBOOKS / f"{source.stem}.ipynb"


def write(settings: Settings, _: str | None = None) -> int:
    """`make lessons`: run every notebook, or those of CHAPTER, and write it with its outputs."""
    import nbformat

    wanted = f"ch{settings.chapter:02}" if settings.chapter else ""
    for source in sources():
        if source.stem.startswith(wanted):
            notebook = execute(source)
            nbformat.write(notebook, written(source))
            print(f"  {written(source).relative_to(ROOT)}", flush=True)
    return 0


def open_them(settings: Settings, _: str | None = None) -> int:
    """`make notebook`: Jupyter Lab at the notebooks, with the exercise files in reach.

    Ctrl-C ends it and its kernels.
    """
    at = f"--LabApp.default_url=/lab/tree/{NOTEBOOKS.name}"
    sure = "--ServerApp.answer_yes=True"
    command = [sys.executable, "-m", "jupyterlab", str(ROOT), at, sure]
    if getattr(os, "geteuid", lambda: 1)() == 0:  # in a container, say: it would refuse to start
        command.append("--allow-root")
    try:
        lab = subprocess.Popen(command)
    except OSError as error:
        raise UserError(f"Jupyter Lab cannot be started: {error}.") from None
    while True:
        try:
            return lab.wait()
        except KeyboardInterrupt:  # Jupyter Lab has heard it too, and ends its kernels first
            pass
