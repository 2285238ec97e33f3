"""What a person may set for a command: `make demo PORT=8000`, or `... demo PORT=8000`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


class UserError(Exception):
    """Something the person at the keyboard can put right: one sentence, no traceback.

    status: the exit status of the command.
    """

    def __init__(self, sentence: str, status: int = 2):
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one command; None where nothing was given.

    model: "scripted", a hub id or a local folder; None is the embedded model.
    port: where to listen; 0 lets the system choose. page_port: where the classroom page does.
    chapter: the last chapter to serve.
    wrong: a wrong answer to swap in.
    submission: the folder to grade in place of the student's own.
    on: which earlier chapters to build on: "reference" or "mine".
    json: the file for the grade report.
    torch_index: a package index to take torch from.
    pace: tokens a second from the scripted core; None is full speed.
    dir: a folder of submissions; gradescope: whether to write what Gradescope reads.
    times: how often to repeat.
    dtype: the numbers to compute in; None lets the device decide.
    """

    model: str | None = None
    port: int = 1919
    page_port: int | None = None
    chapter: int | None = None
    wrong: str | None = None
    submission: Path | None = None
    on: str = "reference"
    json: Path | None = None
    torch_index: str | None = None
    pace: float | None = None
    dtype: str | None = None
    dir: Path | None = None
    gradescope: bool = False
    times: int | None = None

    @classmethod
    def read(cls, environment: Mapping[str, str], given: Sequence[str] = ()) -> Settings:
        """The settings in the environment; `given` are the names that somebody typed.

        Raises UserError for a name that is no setting and for a value that does not fit.
        """
        for name in [*given, *_names_given_to_make(environment)]:
            if name not in PARSERS and name != "PYTHON":
                raise UserError(f"{name} is no setting{nearest(name.upper(), PARSERS)}.")
        found = {name: environment.get(name, "").strip() for name in PARSERS}
        return cls(**{k.lower(): PARSERS[k](k, value) for k, value in found.items() if value})


def nearest(word: str, known) -> str:
    """ "; did you mean X?" without its mark, or what else there is to choose from."""
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"; did you mean {close[0]}" if close else f"; there are {', '.join(known)}"


def _names_given_to_make(environment: Mapping[str, str]) -> list[str]:
    """Make hands `make demo PROT=80` on in MAKEFLAGS, where a slip of the hand can be seen."""
    return re.findall(r"(?:^|(?<!\\)\s)([A-Za-z_]\w*)=", environment.get("MAKEFLAGS", ""))


def _text(name: str, value: str) -> str:
    return value


def _whole_number(lowest: int, highest: int):
    def parse(name: str, value: str) -> int:
        if not re.fullmatch(r"[0-9]{1,9}", value) or not lowest <= int(value) <= highest:
            raise UserError(
                f"{name} must be a whole number from {lowest} to {highest}, not {value!r}."
            )
        return int(value)

    return parse


def _one_of(*choices: str):
    def parse(name: str, value: str) -> str:
        if value not in choices:
            raise UserError(f"{name} must be {' or '.join(choices)}, not {value!r}.")
        return value

    return parse


def _folder(name: str, value: str) -> Path:
    path = Path(value).expanduser()
    if not path.is_dir():
        raise UserError(f"{name} must be a folder, and {value!r} is none.")
    return path


def _new_file(name: str, value: str) -> Path:
    path = Path(value).expanduser()
    if path.is_dir() or not path.parent.is_dir():
        raise UserError(f"{name} must be a file in a folder that exists, not {value!r}.")
    return path


def _address(name: str, value: str) -> str:
    if not re.match(r"(https?|file)://", value):
        raise UserError(f"{name} must be the address of a package index, not {value!r}.")
    return value


def _rate(name: str, value: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", value) or float(value) == 0:
        raise UserError(f"{name} must be a number of tokens a second above 0, not {value!r}.")
    return float(value)


PARSERS = {
    "MODEL": _text,
    "PORT": _whole_number(0, 65535),
    "PAGE_PORT": _whole_number(0, 65535),
    "CHAPTER": _whole_number(1, 7),
    "WRONG": _text,
    "SUBMISSION": _folder,
    "ON": _one_of("reference", "mine"),
    "JSON": _new_file,
    "TORCH_INDEX": _address,
    "PACE": _rate,
    "DTYPE": _one_of("float32", "bfloat16", "float16"),
    "DIR": _folder,
    "GRADESCOPE": _one_of("1"),
    "TIMES": _whole_number(1, 10_000),
}
