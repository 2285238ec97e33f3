"""`make doctor`: what is installed, chosen and free here, and what to do where something is wrong.

Needs nothing installed. What is not set up yet is no fault: every command sets up what it needs.
"""

from __future__ import annotations

import importlib.metadata
import platform
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from chapters.course.paths import ROOT
from chapters.course.settings import Settings
from chapters.course.setup import GIGABYTES, LEVELS, MODEL, Setup

REINSTALL = "delete the folder .venv and run the command again"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `cure` is what to do; it is there only if something is wrong."""

    about: str
    text: str
    cure: str = ""


def main(settings: Settings, arg: str | None) -> int:
    """Print the report; 0 if nothing is wrong, else 1."""
    wrong = 0
    for finding in examine(Setup(ROOT), settings):
        mark = "!!" if finding.cure else "ok"
        print(f"{mark}  {finding.about:9} {finding.text}", flush=True)
        if finding.cure:
            wrong += 1
            print(f"    {'':9} -> {finding.cure}", flush=True)
    print("\nAll is well." if not wrong else f"\nWrong: {wrong}. The arrows say what to do.")
    return 1 if wrong else 0


def examine(setup: Setup, settings: Settings) -> Iterator[Finding]:
    """All findings, the quick ones first."""
    yield Finding("Python", f"{platform.python_version()} at {sys.executable}")
    yield environment(setup)
    yield from packages(setup)
    yield model(setup)
    yield port(settings.port)
    yield disk(setup)
    yield device()


def environment(setup: Setup) -> Finding:
    """Whether `.venv` works, and what was installed into it."""
    if not setup.venv.exists():
        return Finding(".venv", "not made yet: the first command that needs it makes it")
    if not setup.usable():
        return Finding(".venv", "unfinished, broken or of another Python", "run `make setup`")
    levels = [level for level in LEVELS if setup.has(level)]
    if not levels:
        return Finding(".venv", "made, but its packages are not installed", "run `make setup`")
    return Finding(".venv", f"made, with {LEVELS[levels[-1]]} installed")


def packages(setup: Setup) -> Iterator[Finding]:
    """Each file of requirements: the versions installed against those it asks for."""
    for level, file in LEVELS.items():
        if not (setup.inside() and setup.has(level)):
            yield Finding("packages", f"{file}: not installed yet")
            continue
        pins = read_pins((setup.root / file).read_text())
        found = {name: _version(name) for name in pins}
        other = [name for name in pins if (found[name] or "").split("+")[0] != pins[name]]
        text = ", ".join(f"{name} {version}" for name, version in found.items())
        wanted = ", ".join(f"{name} {pins[name]}" for name in other)
        yield Finding("packages", text, f"{REINSTALL}; it needs {wanted}" if other else "")


def read_pins(text: str) -> dict[str, str]:
    """{package: version} of the lines "package==version" that hold on this system."""
    pins = {}
    for line in text.splitlines():
        pin = re.match(r"([\w.-]+)==([^\s;]+)(?:\s*;\s*sys_platform != \"(\w+)\")?", line)
        if pin and pin.group(3) != sys.platform:
            pins[pin.group(1)] = pin.group(2)
    return pins


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def model(setup: Setup) -> Finding:
    """Where the embedded model is."""
    if not setup.model_ready():
        return Finding("model", f"{MODEL}: not set up yet; `make demo` does it")
    size = sum(file.stat().st_size for file in setup.model.iterdir())
    return Finding("model", f"{MODEL}, {size / 1e6:.0f} MB in {setup.model}")


def port(number: int) -> Finding:
    """Whether a server can listen there."""
    with socket.socket() as probe:
        if sys.platform != "win32":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", number))
        except OSError as error:
            cure = "end the program that has it, or choose another: `make demo PORT=8000`"
            return Finding("port", f"{number} cannot be used: {error.strerror}", cure)
    return Finding("port", f"{number} is free")


def disk(setup: Setup) -> Finding:
    """Whether what is still to be set up fits."""
    free = shutil.disk_usage(setup.root).free / 1e9
    needed = sum(GIGABYTES[name] for name in setup.missing("tests", model=True))
    text = f"{free:.1f} GB free; what is not set up yet takes about {needed:.1f} GB"
    return Finding("disk", text, "make room" if free < needed else "")


def device() -> Finding:
    """Where a real model would compute, and in which numbers."""
    if not _version("torch"):
        text = "no torch: chapters 1 to 5 can be graded, MODEL=scripted can be served"
        return Finding("device", text)
    from chapters.core.loading import choose_device, choose_dtype

    try:
        chosen = choose_device()
        return Finding("device", f"{chosen}, {choose_dtype(chosen)}")
    except Exception as error:  # a broken torch fails in many ways: all of them are a finding
        text = f"torch does not work: {error or type(error).__name__}"
        return Finding("device", text, REINSTALL)
