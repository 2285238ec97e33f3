"""The server as a person starts it: a process with a port, a line to copy, and an end."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys

import httpx
import pytest

from chapters.course.manifest import course
from chapters.course.paths import ROOT
from chapters.course.wrong import wrongs

COMMAND = [sys.executable, "-m", "chapters.course"]


class Started:
    """A server that was started by the command; `url` and `said`, all it printed until ready."""

    def __init__(self, *words: str):
        self.process = subprocess.Popen(
            [*COMMAND, *words, "PORT=0"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        self.said = ""
        for line in self.process.stdout:
            self.said += line
            if line.strip().startswith("curl "):
                break
        self.url = re.search(r"http://localhost:\d+", self.said)[0]

    def end(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        rest = self.process.stdout.read()
        return self.process.wait(), rest


@pytest.fixture
def start():
    """start(verb, NAME=value, …): a `Started` that is ended afterwards, whatever happens."""
    begun = []

    def run(*words):
        begun.append(Started(*words))
        return begun[-1]

    yield run
    for server in begun:
        if server.process.poll() is None:
            server.process.kill()
        server.process.stdout.close()
        server.process.wait()


def said(text: str) -> dict:
    return {"messages": [{"role": "user", "content": text}], "max_tokens": 5}


@pytest.mark.parametrize("number", course())
def test_every_chapters_server_answers(start, number):
    server = start("demo", "MODEL=scripted", f"CHAPTER={number}")
    answer = httpx.post(f"{server.url}/v1/chat/completions", json=said("Hey"))
    assert answer.json()["choices"][0]["message"]["content"] == "Hey 1 2"
    assert f"chapter {number}'s reference server" in server.said and " s\n" in server.said


def test_the_line_to_copy_works(start):
    server = start("demo", "MODEL=scripted")
    line = next(line for line in server.said.splitlines() if "curl " in line)
    done = subprocess.run(shlex.split(line), capture_output=True, check=True)
    assert json.loads(done.stdout)["object"] == "chat.completion"


def test_an_unattempted_chapter_is_filled_in_and_says_so(start):
    server = start("serve-chapter", "1", "MODEL=scripted")
    assert "not attempted yet, so the reference stands in: tasks 1.1, 1.2" in server.said
    assert httpx.post(f"{server.url}/v1/completions", json={"prompt": "x"}).status_code == 200


def test_a_wrong_answer_is_swapped_in(start):
    wrong = next(w for w in wrongs(course()[1]) if w.name == "errors_with_status_200")
    server = start("demo", "MODEL=scripted", "CHAPTER=1", f"WRONG={wrong.name}")
    assert wrong.misunderstood in server.said
    assert httpx.post(f"{server.url}/v1/completions", json={}).status_code == 200


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 0), (signal.SIGTERM, -15)])
def test_a_signal_ends_it_quietly_also_beside_an_open_stream(start, number, status):
    server = start("demo", "MODEL=scripted", "PACE=20")
    body = {"prompt": "x", "stream": True, "max_tokens": 4000}
    with httpx.stream("POST", f"{server.url}/v1/completions", json=body) as answer:
        next(answer.iter_lines())
        ended, rest = server.end(number)
    assert ended == status
    assert "Traceback" not in rest


def test_a_port_in_use_is_one_sentence(start):
    port = start("demo", "MODEL=scripted").url.rpartition(":")[2]
    done = subprocess.run(
        [*COMMAND, "demo", "MODEL=scripted", f"PORT={port}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"Port {port} cannot be used") and "Traceback" not in done.stderr


def test_what_is_loaded_is_not_looked_at_again_by_the_collector():
    code = """if True:
        import gc, os, signal
        from chapters.course import serve

        def ready():
            print(gc.get_freeze_count() > 10_000, flush=True)
            os.kill(os.getpid(), signal.SIGTERM)

        async def app(scope, receive, send):
            pass

        serve.run(app, serve.listen(0), ready)
    """
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout.startswith("True\n")


@pytest.mark.parametrize(
    "words, sentence",
    [
        (["demo", "MODEL=scripted", "CHAPTER=7"], "There is no chapter 7 yet"),
        (["demo", "MODEL=scripted", "CHAPTER=1", "WRONG=escape_to_tread"], "escape_to_thread"),
        (["demo", "MODEL=scripted", "PORT=x"], "PORT must be a whole number"),
        (["serve-chapter", "7", "MODEL=scripted"], "There is no chapter 7"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(words, sentence):
    done = subprocess.run([*COMMAND, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2
    assert sentence in done.stderr and "Traceback" not in done.stderr
