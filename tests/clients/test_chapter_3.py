"""Chapter 3's reference server over a real socket: many at once, slow tokenizers, dead workers."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module

import httpx
import pytest

from chapters.core import ScriptedCore
from chapters.core.trace import Traced, peaks, watching
from chapters.course import graft
from chapters.course.manifest import course
from chapters.course.real_server import running

CHAPTER = course()[3]
LIMITS = httpx.Limits(max_connections=300)


@pytest.fixture
def build():
    """build(core, …): the reference's server of chapter 3; class attributes of it to replace."""
    graft.install(graft.references(CHAPTER))
    given = import_module("chapters.ch03_queues.server").Server
    return lambda core, **replaced: Traced(type("Server", (given,), replaced)(core).app)


def ask(client, prompt, **fields):
    return client.post("/v1/completions", json={"prompt": prompt, "temperature": 0} | fields)


def text(answer):
    return answer.json()["choices"][0]["text"]


def stats(client):
    return client.get("/stats").json()


def words(prompt):
    """A script of its own for each prompt, of a length of its own."""
    return [f"{prompt}-{n} " for n in range(1 + int(prompt) % 7)]


class Together:
    """Callers in threads, which all ask at once."""

    def __init__(self, url, count):
        self.client = httpx.Client(base_url=url, timeout=60, limits=LIMITS)
        self.pool, self.start = ThreadPoolExecutor(count), threading.Barrier(count)

    def ask(self, prompts):
        def one(prompt):
            self.start.wait(60)
            return ask(self.client, prompt)

        return [self.pool.submit(one, prompt) for prompt in prompts]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pool.shutdown()
        self.client.close()


def test_many_at_once_get_what_they_get_alone(build):
    prompts = [str(n) for n in range(32)]
    with running(build(ScriptedCore(words))) as url:
        with httpx.Client(base_url=url) as client:
            alone = [text(ask(client, prompt)) for prompt in prompts]
        with Together(url, 32) as callers:
            together = [text(asked.result()) for asked in callers.ask(prompts)]
    assert together == alone and len(set(alone)) == 32


def test_the_passes_never_overlap_and_the_requests_do(build):
    core = ScriptedCore(words, gated=True)
    with (
        watching() as watch,
        running(build(core), before_end=core.open) as url,
        Together(url, 10) as callers,
    ):
        asked = callers.ask([str(n) for n in range(10)])
        watch.wait_for("submitted", 10)
        core.open()
        assert {answer.result().status_code for answer in asked} == {200}
    found = peaks(watch)
    assert (found.unfinished, found.passes, found.rows) == (10, 1, 1)


def test_health_answers_while_the_model_computes(build):
    core = ScriptedCore(gated=True)
    with (
        watching() as watch,
        running(build(core), before_end=core.open) as url,
        Together(url, 1) as callers,
    ):
        (asked,) = callers.ask(["5"])
        watch.wait_for("prefill")
        assert callers.client.get("/health").json() == {"status": "ok"}
        assert callers.client.get("/v1/models").status_code == 200
        assert not asked.done()
        core.open()
        assert asked.result().status_code == 200


class HeldTokenizer(ScriptedCore):
    def __init__(self):
        super().__init__()
        self.entered, self.gate = threading.Event(), threading.Event()

    def encode(self, source):
        if source == "1":
            self.entered.set()
            assert self.gate.wait(30)
        return super().encode(source)


def test_others_go_on_while_a_tokenizer_is_slow(build):
    core = HeldTokenizer()
    with (
        running(build(core), before_end=core.gate.set) as url,
        Together(url, 1) as callers,
    ):
        try:
            (asked,) = callers.ask(["1"])
            assert core.entered.wait(30)
            assert callers.client.get("/health").json() == {"status": "ok"}
            assert ask(callers.client, "2", max_tokens=2).status_code == 200
            assert not asked.done()
        finally:
            core.gate.set()
        assert asked.result().status_code == 200


def test_a_failure_of_one_request_is_its_own(build):
    def script(prompt):
        return ["x", ValueError("a bug in the core")] if prompt == "3" else words(prompt)

    core = ScriptedCore(script)
    with running(build(core)) as url, Together(url, 8) as callers:
        answers = [asked.result() for asked in callers.ask("12345678")]
        assert [answer.status_code for answer in answers] == [200, 200, 500, *[200] * 5]
        assert answers[2].json()["error"]["type"] == "server_error"
        assert [text(a) for a in answers if a.status_code == 200] == [
            "".join(words(prompt)) for prompt in "1245678"
        ]
        assert callers.client.get("/health").status_code == 200
    assert core.kv_tokens == 0


class Strict(ScriptedCore):
    """Finds out by itself, and later than `prepare`, that a prompt is not to its liking."""

    def generate(self, prompt, sampling, *, uid=None):
        if bytes(prompt) == b"no":
            raise ValueError("this model takes no such prompt")
        return super().generate(prompt, sampling, uid=uid)


def test_what_the_worker_refuses_is_a_400(build):
    with running(build(Strict())) as url, httpx.Client(base_url=url) as client:
        answer = ask(client, "no")
        assert answer.status_code == 400
        assert "takes no such prompt" in answer.json()["error"]["message"]
        assert ask(client, "5", max_tokens=1).status_code == 200
        assert stats(client)["open"] == stats(client)["running"] == 0


def test_a_prompt_that_does_not_fit_is_a_400_before_it_is_sent(build):
    core = ScriptedCore(max_context=50)
    with running(build(core)) as url, httpx.Client(base_url=url) as client, watching() as watch:
        assert ask(client, "x" * 60).status_code == 400
        assert not watch.of("submitted") and not core.forwards


def dying(error):
    """Turns that raise `error` as soon as four requests are there."""

    class Dying(import_module("chapters.ch03_queues.turns").Turns):
        def turn(self):
            if len(self.running) < 4:
                return []
            raise error

    return Dying


@pytest.mark.parametrize("error", [RuntimeError("device lost"), SystemExit("device lost")])
def test_a_dead_worker_reaches_everyone(build, error, caplog):
    app = build(ScriptedCore(), new_turns=dying(error))
    with running(app) as url, Together(url, 4) as callers:
        assert callers.client.get("/health").status_code == 200
        for asked in callers.ask("1234"):
            answer = asked.result()
            assert answer.status_code == 500
            assert "device lost" in answer.json()["error"]["message"]
            assert answer.json()["error"]["type"] == "server_error"
        health = callers.client.get("/health")
        assert health.status_code == 503 and "device lost" in health.json()["status"]
        late = ask(callers.client, "5")
        assert late.status_code == 503
        assert "device lost" in late.json()["error"]["message"]
        assert stats(callers.client)["open"] == 0
    assert any("the worker has died" in record.message for record in caplog.records)


def scheduled(over, replies):
    """`post` by a coroutine, which a loop runs one step later than a plain function."""

    async def deliver():
        over.deliver(replies)

    if replies:
        asyncio.run_coroutine_threadsafe(deliver(), over.loop)


@pytest.mark.parametrize("post", [None, scheduled], ids=["reference", "coroutine"])
def test_death_does_not_overtake_an_answer(build, post, monkeypatch):
    turns = import_module("chapters.ch03_queues.turns").Turns
    if post:
        monkeypatch.setattr(import_module("chapters.ch03_queues.bridge").Bridge, "post", post)

    class Dying(turns):
        """Both are taken up; the turn after the first last reply raises."""

        over = False

        def turn(self):
            if self.over:
                raise RuntimeError("device lost")
            replies = super().turn() if len(self.running) == 2 else []
            self.over = any(reply.last for reply in replies)
            return replies

    for _ in range(5):
        with running(build(ScriptedCore(words), new_turns=Dying)) as url, Together(url, 2) as two:
            got = [asked.result().status_code for asked in two.ask("06")]
        assert got == [200, 500]


def test_stats_add_up(build):
    core = ScriptedCore(words, gated=True)
    with (
        watching() as watch,
        running(build(core), before_end=core.open) as url,
        Together(url, 3) as callers,
    ):
        asked = callers.ask("123")
        watch.wait_for("submitted", 3)
        watch.wait_for("prefill")
        held = stats(callers.client)
        assert held["open"] == 3 and held["running"] + held["waiting"] == 3
        assert held["tokens"] == 0 and held["kv_tokens"] > 0
        core.open()
        usage = [answer.result().json()["usage"]["completion_tokens"] for answer in asked]
        after = stats(callers.client)
    assert usage == [3, 4, 5]
    assert after == {
        "open": 0,
        "running": 0,
        "waiting": 0,
        "tokens": 12,
        "aborted": 0,
        "discarded": 0,
        "kv_tokens": 0,
    }


def test_two_hundred_clients(build):
    prompts = [str(n) for n in range(200)]
    core = ScriptedCore(words)
    with running(build(core)) as url, Together(url, 200) as callers:
        answers = [asked.result() for asked in callers.ask(prompts)]
        assert [text(answer) for answer in answers] == ["".join(words(p)) for p in prompts]
        assert len({answer.json()["id"] for answer in answers}) == 200
        assert len({answer.headers["x-request-id"] for answer in answers}) == 200
        assert stats(callers.client)["open"] == core.kv_tokens == 0


def test_the_worker_ends_with_the_server(build):
    before = threading.active_count()
    with running(build(ScriptedCore())) as url:
        assert httpx.get(f"{url}/health").status_code == 200
        assert any(thread.name == "worker" for thread in threading.enumerate())
    assert not any(thread.name == "worker" for thread in threading.enumerate())
    assert threading.active_count() <= before


def test_what_runs_when_the_server_ends_is_given_back(build):
    core = ScriptedCore(tokens_per_second=20)
    with watching() as watch, ThreadPoolExecutor(1) as pool:
        with running(build(core)) as url:
            asked = pool.submit(httpx.post, f"{url}/v1/completions", json={"prompt": "x"})
            watch.wait_for("prefill")
        assert asked.exception() or asked.result().status_code == 500
        assert core.held == {} and len(watch.of("kv freed")) == 1
