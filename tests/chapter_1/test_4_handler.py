"""Task 1.4: BlockingAnswer and Handler."""

import asyncio
import contextlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from starlette.responses import PlainTextResponse

from chapters.core import CHAT, TEXT, ApiError, ClientGone, Message, Sampling, ScriptedCore
from chapters.core.trace import watching
from chapters.course.calling import ask, call, on_loop, one_loop, patience, to_await
from chapters.course.checking import CheckFailed, case, expect, provided, show
from chapters.course.real_server import running

SAYS = {"Hi": ["Hel", "lo"], "Bye": ["So ", "long"]}
HANDLER = "chapters.ch01_http.handler"


def body(text="Hi", **fields) -> bytes:
    said = {"messages": [{"role": "user", "content": text}], "temperature": 0}
    return json.dumps(said | fields).encode()


@pytest.fixture
def handler():
    return provided(HANDLER, "Handler")


@pytest.fixture
def serve(handler):
    """serve(core, endpoint=CHAT): the student's handler around the student's answer."""
    answer = provided(HANDLER, "BlockingAnswer")

    def make(core, endpoint=CHAT):
        with case(f"Handler(endpoint, BlockingAnswer(core), {core.name!r})"):
            return handler(endpoint, answer(core), core.name)

    return make


def asked(run, app, raw: bytes, sent: str):
    """The client of one request on the running loop; if it hangs, what was sent is said too."""
    try:
        return run(ask(app, raw))
    except CheckFailed as hang:
        raise CheckFailed(f"sent      {sent}\n{hang}") from None


def answered(client, sent) -> dict:
    """The JSON that came back, which must be a 200."""
    expect(
        client.status == 200 and client.media_type == "application/json",
        "a good request must be answered, and clients read the answer as JSON",
        sent=sent,
        got=f"{client.seen} (content-type {client.headers.get('content-type')})",
        expected="status 200 with content-type application/json",
    )
    with case(sent, expected="a body that is JSON"):
        return json.loads(client.body)


def test_answers(serve):
    """A good request is answered with the model's text and true counts, on both endpoints."""
    core = ScriptedCore(SAYS)
    sent = "Hi, to a core that says Hel, lo and then its end token"
    with case(sent):
        client = call(serve(core), body())
    got = answered(client, sent)
    prompt = len(core.encode([Message("user", "Hi")]))
    usage = {"prompt_tokens": prompt, "completion_tokens": 3, "total_tokens": prompt + 3}
    for name, have, wanted, why in (
        (
            "content",
            got["choices"][0]["message"]["content"],
            "Hello",
            "this is what the service is for",
        ),
        (
            "usage",
            got["usage"],
            usage,
            "users pay by the token: the prompt has as many as the core was given ids, "
            "and the end token counts too",
        ),
        ("model", got["model"], core.name, "who compares models must see which one has answered"),
    ):
        expect(
            have == wanted,
            why,
            sent=sent,
            got=f"{name}: {show(have)}",
            expected=f"{name}: {wanted!r}",
        )
    sent = "{'prompt': 'Bye'}, to a handler for TEXT, '/v1/completions'"
    with case(sent):
        client = call(serve(core, TEXT), b'{"prompt": "Bye"}')
    got = answered(client, sent)
    expect(
        got["object"] == "text_completion" and got["choices"][0]["text"] == "So long",
        "the other endpoint has the other shape",
        sent=sent,
        got=got,
        expected="a text_completion with text 'So long'",
    )


def test_what_reaches_the_core(serve):
    """The core is given the whole conversation, or the prompt as it is, and every setting."""
    told = []

    class Listening(ScriptedCore):
        def generate(self, prompt, sampling, *, uid=None):
            told.append((tuple(prompt), sampling))
            expect(isinstance(uid, str), "ids are text everywhere", got=uid, expected="a string")
            return super().generate(prompt, sampling, uid=uid)

    core = Listening(SAYS)
    said = [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Bye")]
    messages = [{"role": role, "content": content} for role, content in said]
    settled = {"max_tokens": 1, "temperature": 0.5, "top_p": 0.25, "top_k": 9, "seed": 5}
    settled |= {"stop": ["z"], "ignore_eos": True}
    settings = Sampling(1, 0.5, top_p=0.25, top_k=9, seed=5, stop=("z",), ignore_eos=True)
    for endpoint, source, sent, why in (
        (
            CHAT,
            [Message(*turn) for turn in said],
            {"messages": messages} | settled,
            "what the model is not given, it has not been told",
        ),
        (
            TEXT,
            "Bye",
            {"prompt": "Bye"} | settled,
            "a plain prompt is a text to go on with: it is no conversation, and gets no template",
        ),
    ):
        told.clear()
        with case(sent):
            client = call(serve(core, endpoint), json.dumps(sent).encode())
        got = answered(client, sent)
        expect(len(told) == 1, "one request is one generation", got=f"{len(told)} generations")
        expect(
            told[0][0] == core.encode(source),
            why,
            sent=sent,
            got=f"the prompt {show(core.decode(told[0][0]))}",
            expected=f"the prompt {core.decode(core.encode(source))!r}, as `prepare` gives it",
        )
        expect(
            told[0][1] == settings,
            "a field that is accepted and then ignored is a broken promise",
            sent=sent,
            got=told[0][1],
            expected=settings,
        )
        expect(
            got["choices"][0]["finish_reason"] == "length",
            "a client must be able to see that its limit cut the answer off",
            sent=sent,
            got=got["choices"][0],
            expected="finish_reason 'length'",
        )


def test_prompt_that_does_not_fit(serve):
    """A prompt that leaves no room is a 400, costs no forward pass, and does not harm the next."""
    core = ScriptedCore(SAYS, max_context=50)
    app = serve(core)
    with one_loop() as run:
        sent = "a prompt of over 60 tokens, to a core with room for 50"
        with case(sent, expected="status 400"):
            client = run(ask(app, body("x" * 60)))
        expect(
            client.status == 400 and core.forwards == 0,
            "the client can mend this; a server that runs into it half-way has wasted its model",
            sent=sent,
            got=f"{core.forwards} forward passes; {client.seen}",
            expected="no forward pass; status 400",
        )
        sent = "a good request, after one whose prompt did not fit"
        with case(sent, expected="status 200"):
            client = asked(run, app, body(), sent)
        answered(client, sent)


def test_errors_become_responses(serve, handler):
    """An ApiError, of a check or of the answer, becomes its status and its body, as JSON."""
    core = ScriptedCore(SAYS)
    for sent, status, param, code in (
        (b"{", 400, None, None),
        (body(temperature=9), 400, "temperature", None),
        (body(model="gpt-9"), 404, "model", "model_not_found"),
        (b" " * (1024 * 1024 + 1), 413, None, None),
    ):
        with case(sent, expected=f"status {status}"):
            client = call(serve(core), sent)
        error = _json(client).get("error")
        rest = {"type": "invalid_request_error", "param": param, "code": code}
        expect(
            client.status == status
            and isinstance(error, dict)
            and error.pop("message", None)
            and error == rest,
            "clients read the status, error.message, type, param and code: all must be there",
            sent=sent,
            got=client.seen,
            expected=f'status {status} and {{"error": {{"message": …, {json.dumps(rest)[1:]}}}',
        )
        expect(
            client.media_type == "application/json",
            "clients parse a body as JSON if its content type says so",
            sent=sent,
            got=f"content-type {client.headers.get('content-type')}",
            expected="content-type application/json",
        )
    expect(
        core.forwards == 0,
        "checking comes before computing: a bad request must cost nothing",
        sent="four bad requests",
        got=f"{core.forwards} forward passes",
        expected="none",
    )
    refused = ApiError(503, "try later", "max_tokens", "busy")

    async def busy(endpoint, checked):
        raise refused

    sent = "a request whose answer raises ApiError(503, 'try later', 'max_tokens', 'busy')"
    with case(sent, expected="status 503"):
        client = call(handler(CHAT, busy, "tiny"), body())
    expect(
        client.status == 503 and _json(client) == refused.body(),
        "later chapters refuse work in their answer, and the client must hear why",
        sent=sent,
        got=client.seen,
        expected=f"status 503: {json.dumps(refused.body())}",
    )


def test_failures_pass_through(serve, handler):
    """Any other exception passes through, the model's too; the next request is served."""

    async def broken(endpoint, checked):
        raise RuntimeError("a bug")

    core = ScriptedCore(SAYS | {"Fail": ["Hel", RuntimeError("out of memory")]})
    app = serve(core)
    for sent, failing in (
        ("a request whose answer raises RuntimeError", handler(CHAT, broken, core.name)),
        ("a request whose second forward pass raises RuntimeError", app),
    ):
        with one_loop() as run:
            try:
                with case(sent, expected="the RuntimeError passes through"):
                    client = run(ask(failing, body("Fail")))
            except RuntimeError:
                client = None
            expect(
                client is None,
                "a swallowed failure looks like a mistake of the client's or like a whole answer; "
                "one that passes through is logged, and the client gets a 500",
                sent=sent,
                got=f"no exception; {client and client.seen}",
                expected="the RuntimeError passes through",
            )
            if failing is app:
                sent = "a good request, after one whose generation failed"
                with case(sent, expected="status 200"):
                    client = asked(run, app, body(), sent)
                answered(client, sent)


def test_client_leaves(serve, handler):
    """A client that leaves, early or during its answer: nothing is sent, nothing is raised."""
    core = ScriptedCore(SAYS)
    first = {"type": "http.request", "body": body(), "more_body": True}
    sent = "a first piece with more_body True, then http.disconnect"
    with case(sent, expected="no exception"):
        client = call(serve(core), messages=[first, {"type": "http.disconnect"}])
    expect(
        client.sent == [] and core.forwards == 0,
        "there is nobody to answer, and nothing must be computed for nobody",
        sent=sent,
        got=f"{len(client.sent)} messages sent, {core.forwards} forward passes",
        expected="none of either",
    )

    async def left(endpoint, checked):
        raise ClientGone

    sent = "a good request whose answer raises ClientGone"
    with case(sent, expected="no exception"):
        client = call(handler(CHAT, left, "tiny"), body())
    expect(
        client.sent == [],
        "later chapters notice in their answer that the client has left",
        sent=sent,
        got=client.seen,
        expected="nothing is sent",
    )


def test_any_answer_will_do(handler):
    """The handler tells its answer which endpoint, and sends what it gives to the right caller."""

    async def other(endpoint, checked):
        for _ in range(20):
            await asyncio.sleep(0)  # others get their turn
        return PlainTextResponse(f"{endpoint.object} {checked.source} {checked.stream}", 207)

    async def both():
        app = handler(TEXT, other, "tiny", streaming=True)
        asked = (b'{"prompt": "%s", "stream": true}' % name for name in (b"a", b"b"))
        return await asyncio.gather(*(ask(app, question) for question in asked))

    sent = "prompts a and b at once, stream true, to a handler for TEXT with another answer"
    with case(sent):
        clients = on_loop(both())
    wanted = {name: f"text_completion {name} True" for name in "ab"}
    swapped = any(
        wanted[other].encode() in client.body for client, other in zip(clients, "ba", strict=True)
    )
    seen = "; ".join(f"{n} has {c.seen}" for n, c in zip("ab", clients, strict=True))
    for name, client in zip("ab", clients, strict=True):
        expect(
            (client.status, client.body) == (207, wanted[name].encode()),
            "one handler serves all requests: what it keeps in `self` belongs to whoever came last"
            if swapped
            else "from chapter 2 on, other answers are put in here: which response it is, and for "
            "which endpoint, only they know",
            sent=sent,
            got=f"of the two callers, {seen}",
            expected=f"{name} has status 207: {wanted[name]}, as the answer returned it",
        )


def test_ids(serve):
    """A thousand answers to one question have a thousand ids, each a string."""

    async def ask_all():
        return [await ask(app, body(max_tokens=1)) for _ in range(1000)]

    app = serve(ScriptedCore(SAYS))
    sent = "the same question, a thousand times"
    with case(sent):
        clients = asyncio.run(ask_all())
    ids = [answered(client, sent)["id"] for client in clients]
    expect(
        len(set(ids)) == len(ids) and all(isinstance(uid, str) for uid in ids),
        "an id that two answers share identifies neither in a log",
        sent=sent,
        got=f"{len(set(ids))} different ids, such as {ids[0]!r}",
        expected="1000 different ids, each a string",
    )


def test_real_callers(serve):
    """Over a real socket: four callers at once each get their own answer."""
    core = ScriptedCore({name: [name] * 5 for name in "abcd"})
    app, raised = serve(core), []
    arrived, all_here = [], asyncio.Event()

    async def noting(scope, receive, send):
        if scope["type"] == "http":
            arrived.append(scope)
            if len(arrived) == 4:
                all_here.set()
            await all_here.wait()
            try:
                await to_await(app(scope, receive, send))
            except Exception as error:
                raised.append(error)
                raise

    def post(name):
        with contextlib.suppress(httpx.TransportError):
            return httpx.post(url, content=body(name), timeout=2 * patience())

    with running(noting) as url, ThreadPoolExecutor(4) as pool:
        got = list(pool.map(post, "abcd"))
    sent = "four callers at once over real sockets, asking a, b, c and d"
    with case(sent, expected="four answers with status 200"):
        if raised:
            raise raised[0]
    for name, response in zip("abcd", got, strict=True):
        wanted = f"status 200 with the text {name * 5!r}"
        expect(
            response is not None,
            "a response that has no end is no answer",
            sent=sent,
            got=f"for {name}: no whole response; the caller gave up",
            expected=wanted,
        )
        seen = f"for {name}: status {response.status_code}: {response.text}"
        expect(response.status_code == 200, "every caller waits for it", sent=sent, got=seen)
        with case(sent, expected=wanted):
            text = response.json()["choices"][0]["message"]["content"]
        expect(
            text == name * 5,
            "each caller must get the answer to its own question: what belongs to one request is "
            "kept in no attribute",
            sent=sent,
            got=seen,
            expected=wanted,
        )


def test_one_generation_at_a_time(serve):
    """Two callers at once: both are answered, the second generation after the first."""
    loop_thread, meeting = threading.current_thread(), threading.Barrier(2)

    def script(text):
        yield text
        if threading.current_thread() is not loop_thread:
            with contextlib.suppress(threading.BrokenBarrierError):
                meeting.wait(2)  # generations in threads of their own meet here, if they can
        yield text

    app = serve(ScriptedCore(script))

    async def together():
        return await asyncio.gather(*(ask(app, body(name)) for name in "ab"))

    with watching() as watch, case("two callers at once"):
        clients = on_loop(together())
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
    for name, client in zip("ab", clients, strict=True):
        expect(
            client.status == 200,
            "who comes second waits for its turn, and is not sent away",
            sent="two callers at once",
            got=f"for {name}: {client.seen}",
            expected="status 200 for both",
        )


def _json(client) -> dict:
    """The object in the client's response; {} if there is none."""
    try:
        found = json.loads(client.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
