"""Task 2.4: pump and RegisteredAnswer."""

import asyncio
import importlib.util
import inspect
import json
from dataclasses import replace
from pathlib import Path

import pytest

from chapters.ch02_request_ids.registry import Registry
from chapters.ch02_request_ids.state import RequestState
from chapters.core import CHAT, TEXT, ApiError, CheckedRequest, Message, Reply, Sampling
from chapters.core import ScriptedCore as Core
from chapters.course.calling import call, on_loop, to_await
from chapters.course.checking import case, expect, fail, provided, show

_spec = importlib.util.spec_from_file_location("tapes", Path(__file__).parent / "tapes.py")
tapes = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tapes)
named, replies = tapes.named, tapes.replies

PUMP = "chapters.ch02_request_ids.pump"
SAYS = {"Hi": ["Hel", "lo"], "Bye": ["So ", "long"], "Well": ["I ", "am"]}


@pytest.fixture
def pump():
    return provided(PUMP, "pump")


@pytest.fixture
def new_answer():
    return provided(PUMP, "RegisteredAnswer")


def asking(text: str) -> CheckedRequest:
    return CheckedRequest((Message("user", text),), Sampling(max_tokens=8))


def answered(answer, endpoint, checked) -> dict:
    """The JSON that a client gets from this answer's response, which must be a 200."""

    async def app(scope, receive, send):
        response = await to_await(answer(endpoint, checked))
        expect(
            callable(response),
            "what comes back is sent by calling it, as an ASGI app: the content alone cannot be",
            sent=f"a request to {endpoint.path}: {checked.source}",
            got=show(response),
            expected="a JSONResponse of it",
        )
        await response(scope, receive, send)

    with case(f"a request to {endpoint.path}: {checked.source}"):
        client = call(app)
    expect(
        client.status == 200 and client.headers.get("content-type") == "application/json",
        "a good request must be answered, and clients read the answer as JSON",
        sent=f"a request to {endpoint.path}: {checked.source}",
        got=client.seen,
        expected="status 200 with content-type application/json",
    )
    return json.loads(client.body)


def two_open() -> tuple:
    """A registry with two open requests, and their replies A1 A2 and B1 B2."""
    registry = Registry()
    a, b = registry.open(), registry.open()
    return registry, a, b, replies(a.uid, "A", 2), replies(b.uid, "B", 2)


def test_pump_to_the_owners(pump):
    """A1 B1 B2 A2: every reply of the pipe is delivered, also those behind a last one."""
    registry, a, b, (a1, a2), (b1, b2) = two_open()
    with case("the tape A1 B1 B2 A2"):
        returned = pump(iter([a1, b1, b2, a2]), registry)
    expect(
        not inspect.isawaitable(returned) and not inspect.isgenerator(returned),
        "who pumps calls, and all is delivered when the call returns: the body of an `async def`, "
        "or of a function with `yield`, has not run yet",
        sent="the tape A1 B1 B2 A2",
        got=show(returned),
        expected="a plain function",
    )
    expect(
        (named(a.replies), named(b.replies)) == ("A1 A2", "B1 B2"),
        "B2 is the last of B, not of the pipe: whoever stops there leaves A waiting for ever",
        sent="the tape A1 B1 B2 A2",
        got=f"a was given {named(a.replies)}; b was given {named(b.replies)}",
        expected="A1 A2 and B1 B2",
    )
    expect(
        set(registry.live) == {a.uid, b.uid},
        "whoever opened a request closes it: until then it is seen in `live`, finished or not",
        sent="the tape A1 B1 B2 A2",
        got=f"{len(registry.live)} requests are open after it",
        expected="a and b, as before",
    )


def test_pump_as_they_come(pump):
    """Each reply has reached its owner before the next one is asked of the pipe."""
    registry, a, b, (a1, a2), (b1, b2) = two_open()
    seen = []

    def pipe():
        for reply in (a1, b1, b2, a2):
            seen.append(len(a.replies) + len(b.replies))
            yield reply

    with case("the tape A1 B1 B2 A2"):
        pump(pipe(), registry)
    expect(
        seen == [0, 1, 2, 3],
        "the pipe computes each reply when it is asked for: a hoarded one is news that comes late",
        sent="a pipe that looks, before each reply, how many have been delivered",
        got=seen,
        expected=[0, 1, 2, 3],
    )


def test_pump_past_late_replies(pump):
    """Replies without an owner are counted and stop nothing."""
    registry, a, b, (a1, a2), (b1, b2) = two_open()
    registry.close(b.uid)
    tape = [a1, Reply("nobody", "X1", 1), b1, b2, a2, Reply(a.uid, "A3", 1)]
    with case(f"the tape {named(tape)}; b is closed, nobody knows X", expected="no exception"):
        pump(iter(tape), registry)
    for ok, why in (
        (
            named(a.replies) == "A1 A2",
            "one client that left must not take the pipe down for all who stay",
        ),
        (
            registry.discarded == 4,
            "the registry counts what has no owner: it must hear of every reply, also of these",
        ),
    ):
        expect(
            ok,
            why,
            sent=f"the tape {named(tape)}; b is closed, nobody knows X, A2 is a's last",
            got=f"a was given {named(a.replies)}; {registry.discarded} discarded",
            expected="A1 A2; 4 discarded",
        )
    registry.close(a.uid)
    with case("the tape B1 B2 A2, when nobody is open any more", expected="no exception"):
        pump(iter([b1, b2, a2]), registry)
    expect(
        registry.discarded == 7,
        "the pipe ends where it ends: who opens a request a moment later finds old replies in it",
        sent="the tape B1 B2 A2, when nobody is open any more",
        got=f"{registry.discarded - 4} of them counted as discarded",
        expected="3",
    )


def test_pump_when_the_pipe_breaks(pump):
    """An exception of the pipe passes through; what came before it has been delivered."""
    registry, a, _, (a1, _), _ = two_open()

    def pipe():
        yield a1
        raise OSError("the pipe broke")

    try:
        pump(pipe(), registry)
    except OSError:
        expect(
            named(a.replies) == "A1",
            "what was computed before the fault is still its owner's",
            sent="A1, then OSError",
            got=f"a was given {named(a.replies)}",
            expected="A1",
        )
    else:
        fail(
            "a swallowed fault looks like a pipe that has ended: a half answer passes for a whole",
            sent="A1, then OSError",
            got="pump() returned as if all were well",
            expected="the OSError",
        )


def test_answers(new_answer):
    """A request is answered with its own text, true counts, and an id made from its uid."""
    states, told = [], []

    class State(RequestState):
        def __init__(self, uid):
            super().__init__(uid)
            states.append(self)

    class Listening(Core):
        def generate(self, prompt, sampling, *, uid=None):
            told.append(uid)
            return super().generate(prompt, sampling, uid=uid)

    core = Listening(SAYS)
    core.name = "tiny"
    registry = Registry(State)
    answer = new_answer(core, registry)
    try:
        got = answered(answer, CHAT, asking("Hi"))
    except Exception:
        expect(
            registry.discarded == 0,
            "the replies carry the uid that the core was given: under another one nobody is open",
            sent="one request",
            got=f"opened {[s.uid for s in states]}, generated {told}: "
            f"{registry.discarded} replies found no owner",
            expected="the same uid in both",
        )
        raise
    sent = "Hi, to a core named tiny that says Hel, lo and then its end token"
    for name, have, wanted in (
        ("content", got["choices"][0]["message"]["content"], "Hello"),
        ("finish_reason", got["choices"][0]["finish_reason"], "stop"),
        ("completion_tokens", got["usage"]["completion_tokens"], 3),
        ("prompt_tokens", got["usage"]["prompt_tokens"], len(core.encode(asking("Hi").source))),
        ("model", got["model"], "tiny"),
    ):
        expect(
            have == wanted,
            "the answer is chapter 1's: true in its text, its end, its counts and its model's name",
            sent=sent,
            got=f"{name}: {show(have)}",
            expected=f"{name}: {wanted!r}",
        )
    expect(
        [s.uid for s in states] == told and got["id"] == f"chatcmpl-{told[0]}",
        "one id from the answer through the log to the model, or nobody can follow a request",
        sent="one request",
        got=f"opened in the registry that the answer was given: {[s.uid for s in states]}, "
        f"generated {told}, answered {got['id']!r}",
        expected="the same uid three times, after chatcmpl- in the answer",
    )
    got = answered(answer, TEXT, CheckedRequest("Bye", Sampling(max_tokens=2)))
    expect(
        (got["object"], got["choices"][0].get("text")) == ("text_completion", "So long")
        and got["choices"][0]["finish_reason"] == "length",
        "the other endpoint has the other shape",
        sent="the prompt Bye with max_tokens 2, to /v1/completions",
        got=got,
        expected="a text_completion with text 'So long' and finish_reason length",
    )


def test_answers_from_what_was_delivered(new_answer):
    """The request is open while the model works, and its answer is what its state was given."""
    open_meanwhile = []

    class Loud(RequestState):
        def apply(self, reply):
            super().apply(replace(reply, text=reply.text.upper()))

    def script(text):
        open_meanwhile.append(list(registry.live))
        yield "quiet"

    registry = Registry(Loud)
    got = answered(new_answer(Core(script), registry), CHAT, asking("Hi"))
    expect(
        len(open_meanwhile[0]) == 1 and got["id"].endswith(open_meanwhile[0][0]),
        "replies of a request that is not open in this registry, or not yet, find no owner",
        sent="one request; `live` of the registry that the answer was given, in the first pass",
        got=f"open meanwhile: {open_meanwhile[0]}; answered {got['id']!r}",
        expected="the request's own uid",
    )
    expect(
        got["choices"][0]["message"]["content"] == "QUIET",
        "replies come through the registry or not at all: chapter 3 has nothing else to read from",
        sent="a request whose state writes in capitals what it is given",
        got=got["choices"][0]["message"]["content"],
        expected="QUIET",
    )


def test_closed_however_it_ends(new_answer):
    """However an answer ends, its request is closed, and an exception passes through."""

    class Cancelled(BaseException):
        """As a cancellation is: no Exception."""

    class Full(RequestState):
        def apply(self, reply):
            raise MemoryError

    def script(text):
        yield "a"
        raise {"bug": ValueError, "cancelled": Cancelled}[text]

    for what, core, new_state, raised in (
        ("a good request", Core(SAYS), RequestState, None),
        ("one whose second pass fails", Core(script), RequestState, ValueError),
        ("one that is cancelled meanwhile", Core(script), RequestState, Cancelled),
        ("one whose state takes no reply", Core(SAYS), Full, MemoryError),
    ):
        opened = []
        registry = Registry(lambda uid: opened.append(uid) or new_state(uid))  # noqa: B023
        answer, came, other = new_answer(core, registry), None, registry.open()
        text = {ValueError: "bug", Cancelled: "cancelled"}.get(raised, "Hi")
        try:
            on_loop(answer(CHAT, asking(text)))
        except (ValueError, Cancelled, MemoryError) as error:
            came = type(error)
        expect(
            other.uid in registry.live,
            "the registry is everybody's: a request closes itself, and finds its own state by "
            "what open() returned",
            sent=f"{what}, while another request is open",
            got="the other request is not open any more",
            expected="it is open",
        )
        expect(
            len(registry.live) == 1,
            "what is not closed stays in memory as long as the server runs: a leak of every such "
            "request, which shows in weeks",
            sent=f"{what}, while another request is open",
            got=f"{len(registry.live) - 1} requests are still open besides that one",
            expected="none",
        )
        expect(
            len(opened) == 2,
            "a request is computed once: who tries again, unasked, computes twice what fails",
            sent=f"{what}, while another request is open",
            got=f"{len(opened) - 1} were opened for it",
            expected="one",
        )
        expect(
            came is raised,
            "the layer around must hear of it, to answer 500 and write it down",
            sent=what,
            got=f"raised: {came and came.__name__}",
            expected=f"raised: {raised and raised.__name__}",
        )


def test_refused_is_never_opened(new_answer):
    """A prompt that does not fit is refused before anything is opened or computed."""
    opened = []

    class State(RequestState):
        def __init__(self, uid):
            super().__init__(uid)
            opened.append(uid)

    core = Core(max_context=50)
    try:
        on_loop(new_answer(core, Registry(State))(CHAT, asking("x" * 60)))
    except ApiError as error:
        expect(error.status == 400, "the client can mend this", got=error.status, expected=400)
    else:
        fail("the client can mend this", sent="a prompt without room", expected="ApiError 400")
    expect(
        (len(opened), core.forwards) == (0, 0),
        "a request that is refused must leave nothing behind to clean up",
        sent="a prompt of over 60 tokens, to a core with room for 50",
        got=f"{len(opened)} requests opened, {core.forwards} forward passes",
        expected="none of either",
    )


def test_answers_at_once(new_answer):
    """Three requests at once: each gets its own answer, under its own id, and all are closed."""
    registry = Registry()
    answer = new_answer(Core(SAYS), registry)

    async def together():
        return await asyncio.gather(*(answer(CHAT, asking(text)) for text in SAYS))

    with case("Hi, Bye and Well at once"):
        got = [json.loads(response.body) for response in on_loop(together())]
    texts = [body["choices"][0]["message"]["content"] for body in got]
    expect(
        texts == ["Hello", "So long", "I am"],
        "each caller must get the answer to its own question: what belongs to one request is "
        "kept in no attribute",
        sent="Hi, Bye and Well at once",
        got=texts,
        expected="Hello, So long, I am",
    )
    expect(
        len({body["id"] for body in got}) == 3
        and len(registry.live) == 0
        and registry.discarded == 0,
        "no reply may be lost, and no request may stay",
        sent="Hi, Bye and Well at once",
        got=f"ids {[body['id'] for body in got]}, {len(registry.live)} still open, "
        f"{registry.discarded} discarded",
        expected="three ids, none open, none discarded",
    )
