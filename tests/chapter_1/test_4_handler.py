"""Task 1.4: BlockingAnswer and Handler."""

import asyncio
import contextlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.responses import PlainTextResponse

from chapters.core import CHAT, TEXT, ApiError, ScriptedCore
from chapters.core.trace import watching
from chapters.course.checking import (
    Client,
    call,
    case,
    expect,
    fail,
    on_loop,
    pieces,
    provided,
    running,
)

SAYS = {"Hi": ["Hel", "lo"], "Bye": ["So ", "long"]}
HANDLER = "chapters.ch01_http.handler"


def body(text="Hi", **fields) -> bytes:
    said = {"messages": [{"role": "user", "content": text}], "temperature": 0}
    return json.dumps(said | fields).encode()


@pytest.fixture
def serve():
    """serve(core, endpoint=CHAT): the student's handler around the student's answer."""
    handler, answer = provided(HANDLER, "Handler"), provided(HANDLER, "BlockingAnswer")
    return lambda core, endpoint=CHAT: handler(endpoint, answer(core), core.name)


def answered(client) -> dict:
    """The JSON that came back, which must be a 200."""
    expect(
        client.status == 200 and client.headers.get("content-type") == "application/json",
        "a good request must be answered, and clients read the answer as JSON",
        got=client.seen,
        expected="status 200 with content-type application/json",
    )
    return json.loads(client.body)


def test_answers(serve):
    """A good request is answered with the model's text and true counts, on both endpoints."""
    core = ScriptedCore(SAYS)
    got = answered(call(serve(core), body()))
    expect(
        (got["choices"][0]["message"]["content"], got["usage"]["completion_tokens"]) == ("Hello", 3)
        and got["model"] == core.name,
        "this is what the service is for",
        sent="Hi, to a core that says Hel, lo and then its end token",
        got=got,
        expected="content 'Hello', completion_tokens 3, and the core's own name as model",
    )
    got = answered(call(serve(core, TEXT), b'{"prompt": "Bye"}'))
    expect(
        got["object"] == "text_completion" and got["choices"][0]["text"] == "So long",
        "the other endpoint has the other shape",
        sent={"prompt": "Bye"},
        got=got,
        expected="a text_completion with text 'So long'",
    )


def test_sampling_reaches_the_core(serve):
    """What the request asked for is what the core is told."""
    told = []

    class Listening(ScriptedCore):
        def generate(self, prompt, sampling, *, uid=None):
            told.append(sampling)
            expect(isinstance(uid, str), "ids are text everywhere", got=uid, expected="a string")
            return super().generate(prompt, sampling, uid=uid)

    got = answered(call(serve(Listening(SAYS)), body(max_tokens=1, seed=5, stop=["z"])))
    expect(
        [(s.max_tokens, s.seed, s.stop) for s in told] == [(1, 5, ("z",))],
        "a field that is accepted and then ignored is a broken promise",
        sent={"max_tokens": 1, "seed": 5, "stop": ["z"]},
        got=told,
        expected="one generation with just these",
    )
    expect(
        got["choices"][0]["finish_reason"] == "length",
        "a client must be able to see that its limit cut the answer off",
        sent={"max_tokens": 1},
        got=got["choices"][0],
        expected="finish_reason 'length'",
    )


def test_prompt_that_does_not_fit(serve):
    """A prompt that leaves no room is a 400 and costs no forward pass."""
    core = ScriptedCore(max_context=50)
    client = call(serve(core), body("x" * 60))
    expect(
        client.status == 400 and core.forwards == 0,
        "the client can mend this; a server that runs into it half-way has wasted its model",
        sent="a prompt of over 60 tokens, to a core with room for 50",
        got=f"status {client.status}, {core.forwards} forward passes: {client.body[:120]}",
        expected="status 400, no forward pass",
    )


def test_errors_become_responses(serve):
    """An ApiError becomes its status and its body; nothing is generated."""
    core = ScriptedCore(SAYS)
    for sent, status, param in (
        (b"{", 400, None),
        (body(temperature=9), 400, "temperature"),
        (body(model="gpt-9"), 404, "model"),
        (b" " * (1024 * 1024 + 1), 413, None),
    ):
        client = call(serve(core), sent)
        error = _json(client).get("error", {})
        expect(
            (client.status, error.get("param", "")) == (status, param) and error.get("message"),
            "clients read the status and error.message, error.param: all three must be there",
            sent=sent,
            got=client.seen,
            expected=f'status {status} and {{"error": {{"param": {json.dumps(param)}, …}}}}',
        )
    expect(
        core.forwards == 0,
        "checking comes before computing: a bad request must cost nothing",
        got=f"{core.forwards} forward passes for four bad requests",
        expected="none",
    )


def test_the_answer_may_fail(serve):
    """An ApiError raised by the answer becomes a response too; other exceptions pass through."""
    handler = provided(HANDLER, "Handler")

    async def busy(endpoint, checked):
        raise ApiError(503, "try later")

    client = call(handler(CHAT, busy, "tiny"), body())
    expect(
        client.status == 503 and b"try later" in client.body,
        "later chapters refuse work in their answer, and the client must hear why",
        sent="a request whose answer raises ApiError 503",
        got=client.seen,
        expected="status 503 with its message",
    )

    async def broken(endpoint, checked):
        raise RuntimeError("a bug")

    try:
        client = call(handler(CHAT, broken, "tiny"), body())
    except RuntimeError:
        return
    fail(
        "a swallowed bug looks like a client's mistake; one that passes through is logged",
        sent="a request whose answer raises RuntimeError",
        got=f"no exception; {client.seen}",
        expected="the RuntimeError passes through",
    )


def test_client_leaves(serve):
    """A client that leaves before its body is complete: nothing is sent, nothing is computed."""
    core = ScriptedCore(SAYS)
    first = {"type": "http.request", "body": body(), "more_body": True}
    client = call(serve(core), messages=[first, {"type": "http.disconnect"}])
    expect(
        client.sent == [] and core.forwards == 0,
        "there is nobody to answer, and nothing must be computed for nobody",
        sent="a first piece with more_body True, then http.disconnect",
        got=f"{len(client.sent)} messages sent, {core.forwards} forward passes",
        expected="none of either, and no exception",
    )


def test_any_answer_will_do(serve):
    """The handler sends whatever response the answer gives, and tells it which endpoint."""
    handler = provided(HANDLER, "Handler")

    async def other(endpoint, checked):
        return PlainTextResponse(f"{endpoint.object} {checked.stream}", 207)

    client = call(handler(TEXT, other, "tiny", streaming=True), b'{"prompt": "x", "stream": true}')
    expect(
        (client.status, client.body) == (207, b"text_completion True"),
        "from chapter 2 on, other answers are put in here: the handler must not assume this one's",
        sent="a handler for TEXT with streaming=True and another answer",
        got=client.seen,
        expected="the response that the answer returned",
    )


def test_real_callers(serve):
    """Over a real socket: four callers at once each get their own answer, with its own id."""
    core = ScriptedCore({name: [name] * 5 for name in "abcd"})
    together = threading.Barrier(4)

    def ask(name):
        together.wait()
        with case(f"{name}, over a real socket", expected="a JSON answer"):
            return httpx.post(url, content=body(name)).json()

    with running(serve(core)) as url, ThreadPoolExecutor(4) as pool:
        got = list(pool.map(ask, "abcd"))
    for answer in got:
        expect("choices" in answer, "every caller waits for an answer", got=answer)
    texts = [answer["choices"][0]["message"]["content"] for answer in got]
    expect(
        texts == ["aaaaa", "bbbbb", "ccccc", "ddddd"],
        "each caller must get the answer to its own question",
        sent="four callers at once, asking a, b, c and d",
        got=texts,
        expected="aaaaa, bbbbb, ccccc, ddddd",
    )
    ids = [answer["id"] for answer in got]
    expect(
        len(set(ids)) == 4 and all(isinstance(uid, str) for uid in ids),
        "an id that two answers share identifies neither in a log",
        got=ids,
        expected="four different ids, each a string",
    )


def test_one_generation_at_a_time(serve):
    """Two callers at once: the second generation begins after the first has ended."""
    loop_thread, meeting = threading.current_thread(), threading.Barrier(2)

    def script(text):
        yield text
        if threading.current_thread() is not loop_thread:
            with contextlib.suppress(threading.BrokenBarrierError):
                meeting.wait(2)  # generations in threads of their own meet here, if they can
        yield text

    app = serve(ScriptedCore(script))
    clients = [Client(pieces(body(name))) for name in "ab"]

    async def together():
        scope = {"type": "http", "method": "POST", "path": "/", "headers": []}
        await asyncio.gather(*(app(dict(scope), c.receive, c.send) for c in clients))

    with watching() as watch:
        on_loop(together())
    under_way, most = 0, 0
    for event in watch:
        under_way += {"prefill": 1, "kv freed": -1}.get(event.kind, 0)
        most = max(most, under_way)
    expect(
        most == 1,
        "each generation holds a KV cache: as many at once as there are callers fills the memory",
        sent="two callers at once",
        got=f"{most} generations under way at once",
        expected="1: in this chapter the event loop owns the model, and nothing shares it",
    )


def _json(client) -> dict:
    try:
        return json.loads(client.body)
    except ValueError:
        return {}
