"""Chapter 2's reference server over a real socket: two ids, and who meets whom."""

import json
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import httpx
import openai
import pytest

from chapters.core import ScriptedCore
from chapters.core.trace import Traced, watching
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.paths import ROOT
from chapters.course.real_server import running

SAYS = {"Hi": ["Hel", "lo", " there"], "bug": [ValueError("x")]} | {c: [c] * 5 for c in "abcdefgh"}


@pytest.fixture(scope="module")
def url(serving):
    with serving(2, ScriptedCore(SAYS)) as address:
        yield address


def ask(url, prompt="Hi", **headers):
    body = {"prompt": prompt, "temperature": 0}
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.post(f"{url}/v1/completions", json=body, headers=headers, timeout=60)


def test_openai(url):
    with openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0) as client:
        said = [{"role": "user", "content": "Hi"}]
        answer = client.chat.completions.create(
            model="scripted", messages=said, extra_headers={"X-Request-Id": "mine"}
        )
    assert answer.choices[0].message.content == "Hello there"
    assert answer.usage.completion_tokens == 4
    assert answer._request_id == "mine"
    assert "mine" not in answer.id


@pytest.mark.parametrize("name", ["mine", "Order 66/a", "!" * 128, "#$%&'()*+,-./:;<=>?@[]^_`{|}~"])
def test_an_id_is_echoed(url, name):
    answer = ask(url, X_Request_Id=name)
    assert (answer.status_code, answer.headers.get_list("x-request-id")) == (200, [name])


@pytest.mark.parametrize("headers", [{}, {"X_Request_Id": ""}], ids=["absent", "empty"])
def test_an_id_is_made(url, headers):
    made = [ask(url, **headers).headers["x-request-id"] for _ in range(3)]
    assert len(set(made)) == 3
    assert ask(url, X_Request_Id=made[0]).headers["x-request-id"] == made[0]


REFUSED = {
    "129 characters": b"x" * 129,
    "very long": b"x" * 5000,
    "tab": b"a\tb",
    "Latin-1": b"Auftr\xe4ge",
    "UTF-8": "Aufträge".encode(),
    "line separator": "a\u2028b".encode(),
}


@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED)
def test_an_id_is_refused(url, value):
    status, headers, body = raw(url, value)
    assert status == 400
    error = json.loads(body)["error"]
    assert (error["type"], error["param"]) == ("invalid_request_error", "X-Request-Id")
    assert error["message"].startswith("X-Request-Id")
    made = [line for line in headers if line.lower().startswith(b"x-request-id:")]
    assert len(made) == 1 and value not in made[0]


@pytest.mark.parametrize("value", [b"a\x00b", b"a\x1b[2Jb", b"a\x7fb", b"a\rb"])
def test_a_control_character_never_comes_back(url, value):
    status, headers, _ = raw(url, value)
    assert status == 400 and value not in b"\n".join(headers)


def raw(url, value):
    """Status, header lines and body that come back for an id that no client library sends."""
    host, port = url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(
            b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            b"X-Request-Id: " + value + b'\r\nContent-Length: 16\r\n\r\n{"prompt": "Hi"}'
        )
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    first, *headers = head.split(b"\r\n")
    return int(first.split()[1]), headers, body


@pytest.mark.parametrize("path", ["/health", "/v1/models", "/nowhere"])
def test_every_response_has_its_id(url, path):
    answer = httpx.get(url + path, headers={"X-Request-Id": "mine"})
    assert answer.headers.get_list("x-request-id") == ["mine"]
    assert httpx.get(url + path).headers["x-request-id"]


@pytest.mark.parametrize("prompt, status", [("x" * 5000, 400), ("bug", 500)])
def test_an_error_has_its_id_and_leaves_the_server_well(url, prompt, status):
    answer = ask(url, prompt, X_Request_Id="mine")
    assert (answer.status_code, answer.headers["x-request-id"]) == (status, "mine")
    assert ask(url).json()["choices"][0]["text"] == "Hello there"


def test_every_answer_has_its_own_id(url):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda name: ask(url, name, X_Request_Id="same"), "abcdefgh" * 2))
    assert [a.json()["choices"][0]["text"] for a in answers] == [c * 5 for c in "abcdefgh" * 2]
    assert {a.headers["x-request-id"] for a in answers} == {"same"}
    assert len({a.json()["id"] for a in answers}) == 16


def test_two_live_requests_with_the_same_id_do_not_meet():
    core = ScriptedCore(SAYS, gated=True)
    graft.install(graft.references(course()[2]))
    app = Traced(graft.build(course()[2], core))
    with (
        watching() as watch,
        running(app, before_end=core.open) as url,
        ThreadPoolExecutor(2) as pool,
    ):
        first = pool.submit(ask, url, "a", X_Request_Id="same")
        watch.wait_for("prefill")  # the first is in its forward pass, and holds the loop
        second = pool.submit(ask, url, "b", X_Request_Id="same")
        core.open()
        answers = [first.result(), second.result()]
    assert [a.json()["choices"][0]["text"] for a in answers] == ["aaaaa", "bbbbb"]
    assert [a.headers["x-request-id"] for a in answers] == ["same", "same"]
    uids = [event.uid for event in watch.of("prefill")]
    assert len(set(uids)) == 2 and "same" not in uids
    assert [a.json()["id"] for a in answers] == [f"cmpl-{uid}" for uid in uids]
    assert [len(watch.of("delivered", uid)) for uid in uids] == [6, 6]
    assert not watch.of("discarded")


NAMING = """
from chapters.course import graft
from chapters.course.manifest import course
graft.install(graft.references(course()[2]))
from chapters.ch02_request_ids.ids import new_uid
print(*(new_uid() for _ in range(1000)))
"""


def test_ids_from_two_processes_differ():
    command = [sys.executable, "-c", NAMING]
    runs = [subprocess.run(command, cwd=ROOT, capture_output=True, check=True) for _ in range(2)]
    assert len({uid for run in runs for uid in run.stdout.split()}) == 2000
