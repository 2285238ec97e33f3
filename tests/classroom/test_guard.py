"""What the page's server refuses, without a browser; and how both servers begin and end."""

from __future__ import annotations

import os
import signal
import subprocess

import httpx
import pytest

from chapters.course import serve
from chapters.course.paths import ROOT
from tests.classroom.conftest import COMMAND, Started

JSON = {"content-type": "application/json", "x-classroom": "1"}


def ask(demo, method="GET", path="/menus", **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    content = b'{"do": "more"}' if method == "POST" else None
    return httpx.request(method, demo.page + path, headers=names, content=content, timeout=60)


def test_the_page_itself_may(demo):
    own = {"origin": demo.page, "sec-fetch-site": "same-origin"}
    for path in ("/", "/menus", "/page.js", "/recording", "/export"):
        assert ask(demo, path=path, **own).status_code == 200
    assert ask(demo, "POST", "/do", **own, **JSON).status_code == 200
    assert ask(demo, path="/", sec_fetch_site="none").status_code == 200


def test_it_may_be_opened_from_elsewhere_and_not_framed(demo):
    elsewhere = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    opened = ask(demo, path="/", sec_fetch_dest="document", **elsewhere)
    assert opened.status_code == 200
    assert opened.headers["x-frame-options"] == "DENY"
    assert "default-src 'self'" in opened.headers["content-security-policy"]
    assert ask(demo, path="/", sec_fetch_dest="iframe", **elsewhere).status_code == 403


@pytest.mark.parametrize("method, path", [("GET", "/menus"), ("GET", "/events"), ("POST", "/do")])
@pytest.mark.parametrize(
    "headers",
    [
        {"host": "classroom.example:1920"},
        {"host": "127.0.0.1.nip.io"},
        {"host": "localhost"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": "https://localhost:1920"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site", "sec_fetch_dest": "document"},
    ],
)
def test_nobody_else_may(demo, method, path, headers):
    assert ask(demo, method, path, **JSON, **headers).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "application/json"},
        {"content-type": "text/plain", "x-classroom": "1"},
        {"content-type": "application/x-www-form-urlencoded", "x-classroom": "1"},
    ],
)
def test_a_command_is_no_form(demo, headers):
    assert ask(demo, "POST", "/do", **headers).status_code == 403


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b'{"do": "end"}',
        b'{"do": "__init__"}',
        b'{"do": "send"}',
        b'{"do": "stop", "client": "nobody"}',
        b'{"do": "play", "demo": "x"}',
        b'{"do": "serve", "chapter": 9, "whose": "mine", "model": null, "pace": 1, "wrong": null}',
        b'{"do": "serve", "chapter": 1, "whose": "mine", "model": "x", "pace": 1, "wrong": null}',
        b'{"do": "serve", "chapter": 1, "whose": "mine", "model": null, "pace": 1, "wrong": "x"}',
    ],
)
def test_what_makes_no_sense_is_a_400(demo, body):
    answer = httpx.post(f"{demo.page}/do", headers=JSON, content=body, timeout=60)
    assert answer.status_code == 400 and answer.json()["why"]


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 0), (signal.SIGTERM, -15)])
def test_a_signal_ends_both_servers(number, status):
    started = Started()
    with httpx.stream("GET", f"{started.page}/events", timeout=60) as events:
        first = next(events.iter_lines())
        pid = int(first.partition('"pid": ')[2].partition(",")[0])
        assert started.end(number) == status
    assert "Traceback" not in started.said
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_page_port_that_is_taken_is_one_sentence():
    with serve.listen(0) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "demo", "MODEL=scripted", "PORT=0", f"PAGE_PORT={port}"],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.startswith(f"The page: Port {port} cannot be used")
