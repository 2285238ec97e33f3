"""From a model's name to a core. torch and transformers are imported only when one is loaded.

A name is None (the embedded model), "scripted", a local folder, or a hub id like "Qwen/Qwen3-0.6B".
Whatever goes wrong becomes a `ModelError`: one sentence for the person who typed the name.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from chapters.core import embedded
from chapters.core.protocol import Core

if TYPE_CHECKING:
    import torch

DTYPES = "float32", "bfloat16", "float16"
GENERATES_TEXT = "ForCausalLM", "LMHeadModel", "ForConditionalGeneration"  # ends of class names
HUB_PATIENCE = 10.0  # seconds to wait for the hub's first answer
TOKENIZERS = "tokenizer.json", "tokenizer.model", "vocab.json", "tekken.json"


class ModelError(Exception):
    """The model cannot be loaded; the message is one sentence that says why."""


def load(name: str | None = None) -> Core:
    """A core for this model, on the best device here; `DTYPE=` in the environment sets the dtype.

    Raises ModelError.
    """
    if name == "scripted":
        from chapters.core.scripted import ScriptedCore

        return ScriptedCore()
    try:
        import torch
        import transformers
    except ImportError as error:
        raise ModelError(f"{error.name} is not installed: run `make setup`") from error
    _quiet(transformers)
    device = choose_device()
    dtype = getattr(torch, choose_dtype(device))
    folder, called = _locate(name)
    _check(folder, called)
    try:
        return _core(folder, called, device, dtype)
    except ModelError:
        raise
    except Exception as error:
        if _out_of_memory(error):
            raise ModelError(f"{called} does not fit into the memory of the {device}") from error
        raise ModelError(f"{called} cannot be loaded: {_first_line(error)}") from error


def choose_device() -> str:
    """The fastest kind of device here: "cuda", "mps" or "cpu"."""
    import torch

    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"


def choose_dtype(device: str) -> str:
    """The name of the dtype to compute in on this device: what `DTYPE=` says, else what suits it.

    Raises ModelError if `DTYPE=` names another one.
    """
    wanted = os.environ.get("DTYPE")
    if wanted:
        if wanted not in DTYPES:
            raise ModelError(f"DTYPE={wanted} is none of {', '.join(DTYPES)}")
        return wanted
    if device == "cuda" or (device == "cpu" and _native_bfloat16()):
        return "bfloat16"
    # Also on MPS: models made in bfloat16 can exceed float16's largest number, 65504, and bfloat16
    # itself needs a recent system. DTYPE=float16 halves the memory where the model bears it.
    return "float32"


def _native_bfloat16() -> bool:
    """True where the processor multiplies bfloat16 itself; elsewhere it is slower than float32."""
    import torch

    ask = getattr(torch.cpu, "get_capabilities", dict)
    return any(ask().get(name) for name in ("avx512_bf16", "amx_bf16"))


def _locate(name: str | None) -> tuple[Path, str]:
    """The folder that holds the model, downloaded if it must be, and what to call the model."""
    if name is None:
        if not embedded.ready():
            raise ModelError("the embedded model is not prepared yet: run `make setup`")
        return embedded.folder(), embedded.NAME
    path = Path(name).expanduser()
    if path.is_dir():
        return path, path.resolve().name
    if path.exists():
        raise ModelError(f"{name} is a file; a model is a folder with config.json in it")
    if path.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1 or "\\" in name:
        raise ModelError(f"there is no folder {name}")
    return _download(name), name


def _download(name: str) -> Path:
    """The folder of a hub model in the hub's own cache, where it stays for the next time."""
    from huggingface_hub import errors, snapshot_download

    try:
        found = snapshot_download(
            name,
            local_files_only=not _reachable(name),
            allow_patterns=["*.json", "*.jinja", "*.safetensors", "*.model", "*.txt"],
            ignore_patterns=["*/*", "consolidated*"],  # other formats of the same weights
        )
    except errors.GatedRepoError as error:
        raise ModelError(
            f"{name} is gated: accept its terms on the hub, then set HF_TOKEN to a token of yours"
        ) from error
    except errors.RepositoryNotFoundError as error:
        raise ModelError(
            f"the hub has no model {name}, or it is private; and there is no such local folder"
        ) from error
    except errors.HFValidationError as error:
        raise ModelError(f"{name!r} is neither a local folder nor a possible hub id") from error
    except errors.LocalEntryNotFoundError as error:
        raise ModelError(
            f"{name} is no local folder, and the hub cannot be reached; "
            "the embedded model needs no network"
        ) from error
    except Exception as error:
        raise ModelError(f"{name} cannot be downloaded: {_first_line(error)}") from error
    return Path(found)


def _reachable(name: str) -> bool:
    """True if the hub answers for this model within HUB_PATIENCE: a download would ask without end.

    Raises the hub's errors that name the model: not found, gated, not a possible id.
    """
    from huggingface_hub import HfApi, errors

    try:
        HfApi().model_info(name, timeout=HUB_PATIENCE)
    except (errors.RepositoryNotFoundError, errors.HFValidationError):
        raise
    except Exception:  # no network, a proxy's refusal, the hub out of order: an old copy may serve
        return False
    return True


def _check(folder: Path, called: str) -> None:
    """Raises ModelError if the folder lacks a part of a model, before anything slow begins."""
    if not (folder / "config.json").is_file():
        raise ModelError(f"{called} is no model: its folder has no config.json")
    if not any(folder.glob("*.safetensors")):
        raise ModelError(f"{called} is no model: its folder has no *.safetensors with the weights")
    if not any((folder / file).is_file() for file in TOKENIZERS):
        raise ModelError(f"{called} has no tokenizer: its folder has no tokenizer.json")


def _core(folder: Path, called: str, device: str, dtype: torch.dtype) -> Core:
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    from chapters.core.torch_core import TorchCore

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    kinds = config.architectures or []
    if config.is_encoder_decoder or not any(kind.endswith(GENERATES_TEXT) for kind in kinds):
        kind = " and ".join(kinds) or config.model_type
        raise ModelError(f"{called} is not a text-generation model: it is {kind}")
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=dtype, local_files_only=True)
    return TorchCore(model.to(device).eval(), tokenizer, called)


def _quiet(transformers) -> None:
    """No progress bars and no warnings of transformers; a download still shows how far it is."""
    from huggingface_hub.utils import enable_progress_bars

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    enable_progress_bars()


def _out_of_memory(error: Exception) -> bool:
    import torch

    if isinstance(error, MemoryError | torch.OutOfMemoryError):
        return True
    return "allocate memory" in str(error) or "Cannot allocate" in str(error)


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
