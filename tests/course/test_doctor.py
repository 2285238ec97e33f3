"""The doctor's report, on made-up states of a course."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from chapters.course import doctor
from chapters.course.settings import Settings
from chapters.course.setup import LEVELS, Setup

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def setup(tmp_path, monkeypatch) -> Setup:
    """A course with requirements and nothing else."""
    monkeypatch.setenv("LLM_COURSE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "tests").mkdir()
    for file, text in zip(LEVELS.values(), ("pytest==1.0", "torch==2.0", "ruff==3.0"), strict=True):
        (tmp_path / file).write_text(text)
    return Setup(tmp_path)


@pytest.fixture
def installed(setup, monkeypatch) -> Setup:
    """The same, running in a `.venv` with everything installed."""
    setup.venv.mkdir()
    setup._write_stamp({level: setup._fingerprint(level) for level in LEVELS})
    monkeypatch.setattr(sys, "prefix", str(setup.venv))
    return setup


def versions(monkeypatch, **found: str) -> None:
    monkeypatch.setattr(doctor, "_version", found.get)


def test_before_any_set_up_nothing_is_wrong(setup, monkeypatch):
    versions(monkeypatch)
    findings = list(doctor.examine(setup, Settings(port=0)))
    assert not [finding for finding in findings if finding.cure]
    texts = {finding.about: finding.text for finding in findings}
    assert texts["Python"].endswith(sys.executable)
    assert texts[".venv"].startswith("not made yet")
    assert texts["packages"] == "tests/requirements.txt: not installed yet"
    assert "not set up yet" in texts["model"]
    assert texts["device"].startswith("no torch: chapters 1 to 5 can be graded")


def test_versions_are_compared_with_the_pins(installed, monkeypatch):
    versions(monkeypatch, pytest="1.0", torch="2.0+cpu", ruff="4.0")
    light, full, tests = doctor.packages(installed)
    assert (light.text, light.cure) == ("pytest 1.0", "")
    assert (full.text, full.cure) == ("torch 2.0+cpu", "")
    assert tests.cure == f"{doctor.REINSTALL}; it needs ruff 3.0"
    versions(monkeypatch, pytest="1.0", ruff="3.0")
    assert [bool(finding.cure) for finding in doctor.packages(installed)] == [False, True, False]


def test_pins_of_other_systems_are_left_out(monkeypatch):
    text = '# words\n-r other.txt\na.b-c==1.0  # why\nloop==2.0 ; sys_platform != "win32"  # fast\n'
    monkeypatch.setattr(sys, "platform", "linux")
    assert doctor.read_pins(text) == {"a.b-c": "1.0", "loop": "2.0"}
    monkeypatch.setattr(sys, "platform", "win32")
    assert doctor.read_pins(text) == {"a.b-c": "1.0"}


def test_every_requirement_is_pinned():
    for file in LEVELS.values():
        lines = (doctor.ROOT / file).read_text().splitlines()
        wanted = [line for line in lines if line and not line.startswith(("#", "-r "))]
        assert len(doctor.read_pins("\n".join(wanted))) == len(wanted) > 0
        assert all("#" in line for line in wanted), "each with its reason"


def test_a_broken_venv_is_wrong_and_an_installed_one_says_how_far(setup, installed):
    assert doctor.environment(installed).text == "made, with tests/requirements.txt installed"
    installed._write_stamp({})
    assert doctor.environment(installed).cure == "run `make setup`"


def test_a_venv_that_does_not_run_is_wrong(setup):
    setup.venv.mkdir()
    assert doctor.environment(setup).cure == "run `make setup`"


def test_a_taken_port_is_wrong():
    with socket.create_server(("127.0.0.1", 0)) as server:
        finding = doctor.port(server.getsockname()[1])
    assert "cannot be used" in finding.text and "PORT=8000" in finding.cure
    assert not doctor.port(0).cure


def test_a_full_disk_is_wrong_only_while_something_is_missing(setup, monkeypatch):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: Usage(1, 1, 1_000_000_000))
    assert doctor.disk(setup).cure == "make room"
    monkeypatch.setattr(setup, "missing", lambda level, model: [])
    assert not doctor.disk(setup).cure


def test_the_model_is_told_with_its_size_and_place(setup):
    setup.model.mkdir(parents=True)
    for name in "config.json", "model.safetensors":
        (setup.model / name).write_bytes(b"x" * 1_000_000)
    assert doctor.model(setup).text.endswith(f", 2 MB in {setup.model}")


def test_the_exit_status_says_whether_something_is_wrong(monkeypatch, capsys):
    findings = [doctor.Finding("port", "1919 is free")]
    monkeypatch.setattr(doctor, "examine", lambda setup, settings: findings)
    assert doctor.main(Settings(), None) == 0
    assert capsys.readouterr().out == "ok  port      1919 is free\n\nAll is well.\n"
    findings.append(doctor.Finding("disk", "0.1 GB free", "make room"))
    assert doctor.main(Settings(), None) == 1
    assert "!!  disk" in (out := capsys.readouterr().out) and "-> make room" in out


def test_the_command_answers_with_nothing_installed():
    """An isolated Python without site-packages: the standard library is enough."""
    start = f"import sys; sys.path.insert(0, {str(doctor.ROOT)!r}); "
    code = start + (
        "from chapters.course import doctor; from chapters.course.settings import Settings; "
        "sys.exit(doctor.main(Settings(port=0), None))"
    )
    base = Path(getattr(sys, "_base_executable", sys.executable))
    result = subprocess.run([base, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert "no torch: chapters 1 to 5 can be graded" in result.stdout, result.stderr
