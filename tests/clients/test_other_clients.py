"""Clients that people really use, against the finished server over a real socket."""

import asyncio
import json
import subprocess
import sys

import httpx
import openai
import pytest

from chapters.core import ScriptedCore
from chapters.course.manifest import course

SAYS = {"Hi": ["Hel", "lo", " there"], "日本": [b"\xe6", b"\x97\xa5", "本"]}


@pytest.fixture(scope="module")
def url(serving):
    with serving(max(course()), ScriptedCore(SAYS)) as address:
        yield f"{address}/v1"


@pytest.fixture
def langchain(url):
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(model="scripted", base_url=url, api_key="none", max_retries=0)


def test_langchain_asks(langchain):
    answer = langchain.invoke("Hi")
    assert answer.content == "Hello there"
    assert answer.usage_metadata["output_tokens"] == 4
    assert answer.response_metadata["finish_reason"] == "stop"


def test_langchain_streams(langchain):
    chunks = list(langchain.stream("Hi"))
    assert "".join(chunk.content for chunk in chunks) == "Hello there"
    assert len([chunk for chunk in chunks if chunk.content]) == 3


def test_langchain_asks_many_at_once(langchain):
    answers = langchain.batch(["Hi", "日本"] * 5)
    assert [answer.content for answer in answers] == ["Hello there", "日本"] * 5


@pytest.mark.parametrize("stream", [False, True])
def test_litellm(url, stream, monkeypatch):
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # its list of prices is on the web
    import litellm

    answer = litellm.completion(
        model="openai/scripted",
        messages=[{"role": "user", "content": "Hi"}],
        api_base=url,
        api_key="none",
        stream=stream,
    )
    if stream:
        text = "".join(chunk.choices[0].delta.content or "" for chunk in answer)
    else:
        text = answer.choices[0].message.content
        assert answer.usage.completion_tokens == 4
    assert text == "Hello there"


def test_llm_command(url, tmp_path):
    model = {"model_id": "ours", "model_name": "scripted", "api_base": url}
    (tmp_path / "extra-openai-models.yaml").write_text(f"[{json.dumps(model)}]")
    for options in ([], ["--no-stream"]):
        done = subprocess.run(
            [sys.executable, "-m", "llm", "prompt", "-m", "ours", "--key", "none", *options, "Hi"],
            env={"LLM_USER_PATH": str(tmp_path), "PATH": ""},
            capture_output=True,
            text=True,
        )
        assert done.stdout.strip() == "Hello there", done.stderr


def test_openai_async_asks_many_at_once(url):
    async def ask():
        async with openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=0) as client:
            said = [{"role": "user", "content": "日本"}]
            asked = [
                client.chat.completions.create(model="scripted", messages=said) for _ in range(20)
            ]
            return await asyncio.gather(*asked)

    assert {answer.choices[0].message.content for answer in asyncio.run(ask())} == {"日本"}


def test_a_load_generators_fields_are_honoured(url):
    """What benchmark clients send: a fixed length, no sampling, usage in every chunk."""
    body = {
        "prompt": "Hi",
        "max_tokens": 8,
        "ignore_eos": True,
        "temperature": 0,
        "repetition_penalty": 1.0,
        "stream": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
    }
    events = httpx.post(f"{url}/completions", json=body).text.split("\n\n")
    chunks = [json.loads(event[6:]) for event in events if event.startswith("data: {")]
    counts = [chunk["usage"]["completion_tokens"] for chunk in chunks]
    assert counts == sorted(counts) and counts[-1] == 8
    assert chunks[-1]["choices"] == [] and all(chunk["choices"] for chunk in chunks[:-1])


def test_curl_streams(url):
    body = json.dumps({"prompt": "Hi", "stream": True})
    done = subprocess.run(
        ["curl", "-sSN", f"{url}/completions", "-d", body], capture_output=True, check=True
    )
    assert done.stdout.endswith(b"data: [DONE]\n\n")
