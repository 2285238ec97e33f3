"""`load`: the right core for a name, and one clear sentence where there is none."""

import http.server
import json
import socket
import subprocess
import sys
import threading

import pytest
import torch
import transformers

from chapters.core import embedded, loading
from chapters.core.loading import ModelError, choose_device, choose_dtype, load
from chapters.core.messages import Sampling
from chapters.core.scripted import ScriptedCore
from chapters.core.torch_core import TorchCore


@pytest.fixture
def folder(tmp_path, tiny_model, tiny_tokenizer):
    """A complete model in a local folder."""
    path = tmp_path / "my-model"
    tiny_model.save_pretrained(path)
    tiny_tokenizer.save_pretrained(path)
    return path


def refusal(name):
    with pytest.raises(ModelError) as caught:
        load(name)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 300
    return message


def test_importing_and_the_scripted_core_need_no_torch():
    code = (
        "import sys; from chapters.core.loading import load; core = load('scripted'); "
        "print(core.name, [m for m in ('torch', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "scripted []"
    assert isinstance(load("scripted"), ScriptedCore)


def test_the_embedded_model(embedded):
    assert isinstance(embedded, TorchCore)
    assert (embedded.name, embedded.max_context) == ("SmolLM2-135M-Instruct", 8192)
    assert embedded.model.dtype == torch.float32 and not embedded.model.training


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_a_local_folder_in_the_dtype_asked_for(folder, monkeypatch, capfd, dtype):
    monkeypatch.setenv("DTYPE", dtype)
    core = load(str(folder))
    assert core.name == "my-model"
    assert core.model.dtype == getattr(torch, dtype)
    assert core.model.device.type == choose_device()
    assert len(list(core.generate((1, 5), Sampling(max_tokens=3, ignore_eos=True)))) == 3
    assert capfd.readouterr() == ("", "")


def test_a_folder_is_found_from_where_one_stands(folder, monkeypatch):
    monkeypatch.chdir(folder)
    assert load(".").name == "my-model"


@pytest.mark.parametrize(
    "gone, told",
    [
        ("config.json", "config.json"),
        ("model.safetensors", "*.safetensors"),
        ("tokenizer.json", "tokenizer.json"),
    ],
)
def test_a_folder_that_is_no_model_names_the_missing_file(folder, gone, told):
    (folder / gone).unlink()
    message = refusal(str(folder))
    assert "my-model" in message and told in message


def test_a_damaged_model(folder):
    (folder / "model.safetensors").write_bytes(b"not tensors")
    assert "my-model cannot be loaded" in refusal(str(folder))
    (folder / "config.json").write_text("{")
    assert "my-model cannot be loaded" in refusal(str(folder))


@pytest.mark.parametrize(
    "change",
    [
        {"model_type": "bert", "architectures": ["BertForMaskedLM"]},
        {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]},
    ],
)
def test_a_model_of_another_kind(folder, change):
    (folder / "config.json").write_text(json.dumps(change))
    message = refusal(str(folder))
    assert "not a text-generation model" in message and change["architectures"][0] in message


@pytest.mark.parametrize(
    "name, told",
    [
        ("/nowhere/at-all", "no folder /nowhere/at-all"),
        ("./nowhere", "no folder ./nowhere"),
        ("one/two/three", "no folder one/two/three"),
        ("two words", "'two words'"),
    ],
)
def test_a_name_that_cannot_be(name, told):
    assert told in refusal(name)


def test_a_file_is_no_model(tmp_path):
    file = tmp_path / "model.gguf"
    file.touch()
    assert "is a file" in refusal(str(file))


def test_set_up_not_done(tmp_path, monkeypatch):
    monkeypatch.setenv("LLM_COURSE_CACHE", str(tmp_path))
    assert not embedded.ready()
    assert "make setup" in refusal(None)


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_not_installed(monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    assert refusal(None) == f"{package} is not installed: run `make setup`"


@pytest.mark.parametrize(
    "error",
    [
        torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB."),
        RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes"),
        MemoryError(),
    ],
)
def test_no_memory(folder, monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", fail)
    assert "does not fit into the memory" in refusal(str(folder))


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """A hub of our own, which knows no model and says so in the way that its path asks for."""

    class Hub(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if "gated" in self.path:
                self.send_response(403)
                self.send_header("X-Error-Code", "GatedRepo")
            else:
                self.send_response(404)
                self.send_header("X-Error-Code", "RepoNotFound")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hub) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ask_at(server.server_address, monkeypatch, tmp_path)
        yield
        server.shutdown()


def ask_at(address, monkeypatch, cache):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{address[1]}")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(cache))


def test_the_hub_does_not_know_it(hub):
    message = refusal("nobody/nothing")
    assert "the hub has no model nobody/nothing" in message


def test_the_hub_asks_for_terms_to_be_accepted(hub):
    assert "nobody/gated is gated" in refusal("nobody/gated")


def test_a_hub_that_does_not_answer_is_not_waited_for_long(monkeypatch, tmp_path):
    monkeypatch.setattr(loading, "HUB_PATIENCE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        ask_at(silent.getsockname(), monkeypatch, tmp_path)
        assert "the hub cannot be reached" in refusal("nobody/nothing")


def test_the_dtype_suits_the_device(monkeypatch):
    monkeypatch.delenv("DTYPE", raising=False)
    assert choose_dtype("cuda") == "bfloat16"
    assert choose_dtype("mps") == "float32"
    for able, dtype in [
        ({}, "float32"),
        ({"avx512_bf16": True}, "bfloat16"),
        ({"amx_bf16": True}, "bfloat16"),
        ({"avx512_bf16": False, "avx2": True}, "float32"),
    ]:
        monkeypatch.setattr(torch.cpu, "get_capabilities", lambda able=able: able)
        assert choose_dtype("cpu") == dtype
    monkeypatch.delattr(torch.cpu, "get_capabilities")
    assert choose_dtype("cpu") == "float32"


def test_the_dtype_can_be_chosen(folder, monkeypatch):
    monkeypatch.setenv("DTYPE", "float16")
    assert choose_dtype("cuda") == choose_dtype("cpu") == "float16"
    monkeypatch.setenv("DTYPE", "int8")
    assert "DTYPE=int8" in refusal(str(folder))


@pytest.mark.parametrize(
    "cuda, mps, device", [(True, True, "cuda"), (False, True, "mps"), (False, False, "cpu")]
)
def test_the_device(monkeypatch, cuda, mps, device):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)
    assert choose_device() == device
