"""Chapter 1's reference server, asked by real clients over a real socket."""

import json
import subprocess

import httpx
import openai
import pytest

from chapters.core import ScriptedCore

SAYS = {
    "Hi": ["Hel", "lo", " there"],
    "half": [b"\xe6", b"\x97", b"\xa5"],
    "bug": [ValueError("x")],
}


@pytest.fixture(scope="module")
def url(serving):
    with serving(1, ScriptedCore(SAYS, max_context=200)) as address:
        yield address


@pytest.fixture
def client(url):
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        yield client


def said(text):
    return [{"role": "user", "content": text}]


def test_openai_chat(client):
    answer = client.chat.completions.create(model="scripted", messages=said("Hi"))
    assert answer.object == "chat.completion"
    assert answer.choices[0].message.role == "assistant"
    assert answer.choices[0].message.content == "Hello there"
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage.completion_tokens == 4
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + 4


def test_openai_chat_cut_at_its_limit(client):
    answer = client.chat.completions.create(
        model="scripted", messages=said("Hi"), max_completion_tokens=2
    )
    assert answer.choices[0].message.content == "Hello"
    assert answer.choices[0].finish_reason == "length"
    assert answer.usage.completion_tokens == 2


def test_openai_chat_with_text_parts_and_a_history(client):
    parts = [{"type": "text", "text": "H"}, {"type": "text", "text": "i"}]
    first = client.chat.completions.create(model="scripted", messages=said("Hi"))
    history = [*said("Hi"), first.choices[0].message, {"role": "user", "content": parts}]
    answer = client.chat.completions.create(model="scripted", messages=history)
    assert answer.choices[0].message.content == "Hello there"
    assert answer.usage.prompt_tokens > first.usage.prompt_tokens


def test_openai_chat_ends_before_a_stop_string(client):
    answer = client.chat.completions.create(model="scripted", messages=said("Hi"), stop=["lo t"])
    assert answer.choices[0].message.content == "Hel"
    assert answer.choices[0].finish_reason == "stop"


def test_openai_completion(client):
    answer = client.completions.create(model="scripted", prompt="Hi")
    assert answer.object == "text_completion"
    assert answer.choices[0].text == "Hello there"
    assert answer.usage.prompt_tokens == 2


def test_openai_lists_the_model(client):
    assert [model.id for model in client.models.list()] == ["scripted"]
    assert client.models.retrieve("scripted").id == "scripted"


def test_characters_that_span_tokens_arrive_whole(client):
    answer = client.chat.completions.create(model="scripted", messages=said("half"))
    assert answer.choices[0].message.content == "日"


def test_a_crash_of_the_core_is_a_500_that_blames_nobody(client):
    with pytest.raises(openai.InternalServerError) as caught:
        client.chat.completions.create(model="scripted", messages=said("bug"))
    assert caught.value.body["type"] == "server_error"


GOOD = {"messages": said("Hi")}
WRONG = {
    "not JSON": (b"{", 400, None),
    "not UTF-8": (b'{"prompt": "\xff"}', 400, None),
    "half a surrogate pair": (rb'{"prompt": "\ud800"}', 400, None),
    "not an object": ([GOOD], 400, None),
    "empty body": (b"", 400, None),
    "nested beyond reason": (b"[" * 100_000, 400, None),
    "no messages": ({}, 400, "messages"),
    "empty messages": ({"messages": []}, 400, "messages"),
    "messages no list": ({"messages": "Hi"}, 400, "messages"),
    "unknown role": ({"messages": [{"role": "robot", "content": "Hi"}]}, 400, "messages[0].role"),
    "content null": ({"messages": said(None)}, 400, "messages[0].content"),
    "content a number": ({"messages": said(3)}, 400, "messages[0].content"),
    "an image": ({"messages": said([{"type": "image_url"}])}, 400, "messages[0].content"),
    "prompt and messages": (GOOD | {"prompt": "Hi"}, 400, "prompt"),
    "empty prompt": ({"prompt": ""}, 400, "prompt"),
    "max_tokens 0": (GOOD | {"max_tokens": 0}, 400, "max_tokens"),
    "max_tokens negative": (GOOD | {"max_tokens": -1}, 400, "max_tokens"),
    "max_tokens a string": (GOOD | {"max_tokens": "5"}, 400, "max_tokens"),
    "max_tokens a boolean": (GOOD | {"max_tokens": True}, 400, "max_tokens"),
    "max_tokens over the context": (GOOD | {"max_tokens": 201}, 400, "max_tokens"),
    "max_tokens over the room left": (GOOD | {"max_tokens": 195}, 400, "max_tokens"),
    "limit over the context": (
        GOOD | {"max_completion_tokens": 999},
        400,
        "max_completion_tokens",
    ),
    "two limits": (
        GOOD | {"max_tokens": 3, "max_completion_tokens": 4},
        400,
        "max_completion_tokens",
    ),
    "prompt over the context": ({"messages": said("x" * 300)}, 400, "messages"),
    "temperature negative": (GOOD | {"temperature": -0.1}, 400, "temperature"),
    "temperature above 2": (GOOD | {"temperature": 2.1}, 400, "temperature"),
    "temperature NaN": (b'{"prompt": "x", "temperature": NaN}', 400, "temperature"),
    "top_p above 1": (GOOD | {"top_p": 1.1}, 400, "top_p"),
    "five stop strings": (GOOD | {"stop": list("abcde")}, 400, "stop"),
    "an empty stop string": (GOOD | {"stop": ""}, 400, "stop[0]"),
    "n": (GOOD | {"n": 2}, 400, "n"),
    "logprobs": (GOOD | {"logprobs": True}, 400, "logprobs"),
    "tools": (GOOD | {"tools": [{"type": "function"}]}, 400, "tools"),
    "response_format": (
        GOOD | {"response_format": {"type": "json_object"}},
        400,
        "response_format",
    ),
    "stream": (GOOD | {"stream": True}, 400, "stream"),
    "a slip of the hand": (GOOD | {"temprature": 1}, 400, "temprature"),
    "unknown model": (GOOD | {"model": "gpt-9"}, 404, "model"),
    "too large": (b" " * (1024 * 1024 + 1), 413, None),
}


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/completions"])
@pytest.mark.parametrize("body, status, param", WRONG.values(), ids=WRONG)
def test_wrong_input_is_explained(url, path, body, status, param):
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = httpx.post(url + path, content=content)
    error = answer.json()["error"]
    assert (answer.status_code, error["param"]) == (status, param)
    assert error["type"] == "invalid_request_error"
    assert error["message"].startswith(param or "the body")


HARMLESS = {
    "user": "u",
    "metadata": {"a": "b"},
    "store": False,
    "stream_options": {"include_usage": True},
    "stream": False,
    "n": 1,
    "tools": None,
    "logprobs": False,
    "presence_penalty": 0,
    "frequency_penalty": 0.0,
    "response_format": {"type": "text"},
    "max_tokens": None,
    "model": None,
}


@pytest.mark.parametrize("field", HARMLESS)
def test_fields_that_change_nothing_pass(url, field):
    answer = httpx.post(f"{url}/v1/chat/completions", json=GOOD | {field: HARMLESS[field]})
    assert answer.json()["choices"][0]["message"]["content"] == "Hello there"


def test_unknown_model_names_the_one_served(url):
    answer = httpx.post(f"{url}/v1/chat/completions", json=GOOD | {"model": "gpt-9"})
    assert "'scripted'" in answer.json()["error"]["message"]


def test_the_refusal_of_a_long_prompt_gives_the_numbers(url):
    answer = httpx.post(f"{url}/v1/completions", json={"prompt": "x" * 300})
    message = answer.json()["error"]["message"]
    assert "300" in message and "200" in message


def test_ignore_eos_goes_on_to_the_limit(url):
    answer = httpx.post(
        f"{url}/v1/chat/completions", json=GOOD | {"ignore_eos": True, "max_tokens": 9}
    )
    assert answer.json()["usage"]["completion_tokens"] == 9
    assert answer.json()["choices"][0]["finish_reason"] == "length"


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/chat", "/v1/models/other"])
def test_unknown_path(url, path):
    answer = httpx.get(url + path)
    assert answer.status_code == 404
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_wrong_method(url):
    answer = httpx.get(f"{url}/v1/chat/completions")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
    assert answer.json()["error"]["type"] == "invalid_request_error"


def test_health(url):
    assert httpx.get(f"{url}/health").json() == {"status": "ok"}


def curl(*arguments):
    done = subprocess.run(["curl", "-sS", *arguments], capture_output=True, check=True)
    return json.loads(done.stdout)


def test_curl(url):
    answer = curl(f"{url}/v1/chat/completions", "-d", json.dumps(GOOD))
    assert answer["choices"][0]["message"]["content"] == "Hello there"


@pytest.mark.parametrize("how", ["Expect:", "Transfer-Encoding: chunked", "Accept: */*"])
def test_curl_learns_that_its_body_is_too_large_before_it_has_sent_it(url, tmp_path, how):
    huge = tmp_path / "huge"
    with huge.open("wb") as file:
        file.truncate(300 * 1024 * 1024)
    sent = "\n%{size_upload}"
    done = subprocess.run(
        ["curl", "-sS", "-w", sent, "-H", how, "-T", huge, "-X", "POST", f"{url}/v1/completions"],
        capture_output=True,
        check=True,
        text=True,
    )
    answer, _, size = done.stdout.rpartition("\n")
    assert "1048576" in json.loads(answer)["error"]["message"]
    assert int(size) < huge.stat().st_size / 4
