"""The first line of every notebook, `from start import *`: finds the course, wherever it runs.

In Jupyter Lab and VS Code the course's own `.venv` is the kernel, and all is there. Colab brings
a Python of its own: what is missing is installed into it, and its torch stays as it is.
"""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))


def _missing() -> list[str]:
    """The pinned packages that this Python lacks; never torch."""
    lines = [
        line.partition("#")[0].strip()
        for name in ("requirements-light.txt", "requirements.txt")
        for line in (ROOT / name).read_text("utf-8").splitlines()
    ]
    pins = [line for line in lines if line and not line.startswith(("-", "torch=", "jupyter="))]
    name = re.compile(r"[A-Za-z0-9_-]+")
    return [pin for pin in pins if not importlib.util.find_spec(name.match(pin)[0])]


if "google.colab" in sys.modules:
    subprocess.check_call([sys.executable, "-m", "pip", "install", "--quiet", *_missing()])

from chapters.lessons import *
