"""Task 3.4: Backend and WaitingAnswer. The check itself plays the worker."""

import asyncio
import importlib.util
import inspect
import json
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from chapters.ch02_request_ids.registry import Registry
from chapters.ch03_queues.mailbox import Mailbox
from chapters.core import (
    CHAT,
    TEXT,
    ApiError,
    Body,
    Failure,
    GenerationRequest,
    Reply,
    ScriptedCore,
    prepare,
)
from chapters.course.calling import on_loop
from chapters.course.checking import case, expect, fail, provided

_spec = importlib.util.spec_from_file_location("waiting", Path(__file__).parent / "waiting.py")
waiting = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(waiting)
end_of, patience, settle = waiting.end_of, waiting.patience, waiting.settle

BACKEND = "chapters.ch03_queues.backend"
FOR_EVER = "its client waits for ever"
SAID_WHY = "CUDA error: device lost"


def asked(text: str = "Hi", **fields):
    return Body.model_validate({"prompt": text, "temperature": 0} | fields).checked()


class Inbox:
    """Where the worker would find messages."""

    def __init__(self):
        self.sent, self.news = [], asyncio.Event()
        self.loop = asyncio.get_running_loop()

    def __call__(self, message) -> None:
        self.sent.append(message)
        self.loop.call_soon_threadsafe(self.news.set)

    async def got(self, count: int) -> list:
        while len(self.sent) < count:
            self.news.clear()
            await self.news.wait()
        return self.sent


class Watched(Mailbox):
    """Counts who waits for it."""

    waiting = 0

    async def take(self):
        self.waiting += 1
        try:
            return await super().take()
        finally:
            self.waiting -= 1


class Inline(ThreadPoolExecutor):
    """Runs what it is given at once: a request takes the same steps of the loop every time."""

    def submit(self, function, /, *args, **options):
        future = Future()
        try:
            future.set_result(function(*args, **options))
        except Exception as error:
            future.set_exception(error)
        return future


class Service:
    """The student's backend and answer, between a core and a worker that is played by hand."""

    def __init__(self, core, new_backend, new_answer):
        self.registry, self.inbox, self.prompts = Registry(Watched), Inbox(), []
        self.backend = new_backend(core, self.registry, self.inbox)
        self.answer = new_answer(self.backend)

    def ask(self, text: str = "Hi", endpoint=TEXT, **fields) -> asyncio.Task:
        self.prompts.append(text)
        return asyncio.ensure_future(self.answer(endpoint, asked(text, **fields)))

    async def sent(self, count: int, *tasks: asyncio.Task) -> list[str]:
        """The uids that were sent to the worker, once there are `count`."""
        arrived = asyncio.ensure_future(self.inbox.got(count))
        await asyncio.wait({arrived, *tasks}, return_when="FIRST_COMPLETED", timeout=patience())
        for task in tasks:
            if task.done() and not arrived.done():
                with case(
                    f"good requests at once, to a worker that lives: {count}",
                    expected="each is sent to the worker, and waited for, however many there are",
                ):
                    task.result()
        if not arrived.done():
            waiting.give_up(
                "nothing is computed for a request that the worker is never told of",
                sent=f"{count} good requests at once",
                got=f"{len(self.inbox.sent)} messages sent to the worker: {self.inbox.sent}",
                expected=f"{count}, while those already sent wait for their replies",
            )
        return [message.uid for message in self.inbox.sent]

    def whose(self) -> dict[str, str]:
        """The first letter of each prompt that was sent to the worker → its uid."""
        sent = sorted(bytes(message.prompt).decode() for message in self.inbox.sent)
        expect(
            sent == sorted(self.prompts),
            "between two lines with an `await` others come: what they leave in `self` is theirs",
            sent=f"prompts {sorted(self.prompts)}, at once",
            got=f"the worker is sent {sent}",
            expected="each of them once",
        )
        return {bytes(m.prompt).decode()[0]: m.uid for m in self.inbox.sent}

    def reply(self, uid: str, text: str = "", tokens: int = 1, **fields) -> None:
        self.registry.deliver(Reply(uid, text, tokens, **fields))


@pytest.fixture
def serve():
    """serve(core): the student's parts, put together. Call it on the loop."""
    backend, answer = provided(BACKEND, "Backend"), provided(BACKEND, "WaitingAnswer")
    return lambda core=None: Service(core or ScriptedCore(), backend, answer)


async def cancelled(task: asyncio.Task, sent: str) -> None:
    """Returns when the task has ended, by its cancellation."""
    try:
        got = await end_of(task, sent, "a task that is cancelled has to end")
    except asyncio.CancelledError:
        return
    except ApiError as error:
        got = error
    fail(
        "whoever cancels must see that it worked: CancelledError is not to be kept",
        sent=sent,
        got=f"{type(got).__name__}, {'raised' if isinstance(got, ApiError) else 'returned'}",
        expected="CancelledError is raised on",
    )


async def error_of(task: asyncio.Task, sent: str, why: str = FOR_EVER) -> ApiError:
    """The ApiError that the answer raises."""
    try:
        response = await end_of(task, sent, why)
    except ApiError as error:
        return error
    fail(
        "a client must see that it got no answer",
        sent=sent,
        got=f"status {response.status_code}: {response.body[:200].decode()}",
        expected="ApiError",
    )


def test_answers(serve):
    """The request goes to the worker as it was asked, and its replies become the answer."""

    async def check():
        core = ScriptedCore()
        for endpoint, fields in ((TEXT, {}), (CHAT, {"max_tokens": 7, "seed": 3, "stop": ["."]})):
            service = serve(core)
            task = service.ask("Grüße", endpoint, **fields)
            (uid,) = await service.sent(1, task)
            wanted = GenerationRequest(uid, *prepare(core, asked("Grüße", **fields)))
            expect(
                service.inbox.sent == [wanted],
                "the worker knows of a request what this message says, and nothing else",
                sent=f"prompt Grüße, {fields}",
                got=service.inbox.sent,
                expected=wanted,
            )
            for reply in ({"text": "one "}, {"text": ""}, {"text": "two", "tokens": 2}):
                service.reply(uid, **reply)
                await settle()
            service.reply(uid, " end ", finish_reason="length")
            response = await end_of(task, "four replies, the last with a finish reason", FOR_EVER)
            expect(response is not None, "somebody waits for a response", got="None")
            got = json.loads(response.body)
            choice = got["choices"][0]
            text = choice["text"] if endpoint is TEXT else choice["message"]["content"]
            expect(
                (response.status_code, text) == (200, "one two end ")
                and choice["finish_reason"] == "length"
                and got["usage"] == {"prompt_tokens": 7, "completion_tokens": 5, "total_tokens": 12}
                and got["id"] == f"{endpoint.id_prefix}{uid}"
                and got["model"] == core.name,
                "whoever waits for the whole answer gets all of it, and what it cost",
                sent="Grüße, a prompt of 5 letters and 7 tokens; "
                "replies 'one ', '', 'two' (2 tokens), ' end ', one after the other",
                got=got,
                expected=f"'one two end ', length, 7 and 5 tokens, id {endpoint.id_prefix}{uid}",
            )
        service = serve(core)
        task = service.ask()
        (uid,) = await service.sent(1, task)
        service.reply(uid, "", finish_reason="stop")
        sent = "one reply, the last, without text"
        with case(sent, expected="an answer: the model had nothing to say, and said so"):
            response = await asyncio.wait_for(task, patience())
        text = json.loads(response.body)["choices"][0]["text"]
        expect(
            (response.status_code, text) == (200, ""),
            "an answer may be empty, and no text is no error",
            sent=sent,
            got=f"status {response.status_code}, text {text!r}",
            expected="status 200, text ''",
        )

    on_loop(check())


class BadTokenizer(ScriptedCore):
    """Has a bug."""

    def encode(self, source):
        raise RuntimeError("no such token table")


class SlowTokenizer(ScriptedCore):
    """Its tokenizer ends only after the event loop has done something else."""

    def __init__(self):
        super().__init__()
        self.loop = asyncio.get_running_loop()
        self.entered, self.gate, self.went_on = asyncio.Event(), threading.Event(), None

    def encode(self, source):
        self.loop.call_soon_threadsafe(self.entered.set)
        self.went_on = self.gate.wait(patience())
        if not self.went_on:
            waiting.hurry()
        return super().encode(source)


def test_tokenising_holds_nobody_up(serve):
    """While one prompt is tokenised, the loop serves others."""

    async def check():
        core = SlowTokenizer()

        async def open_gate():
            await core.entered.wait()
            core.gate.set()

        opening = asyncio.ensure_future(open_gate())
        service = serve(core)
        task = service.ask()
        (uid,) = await service.sent(1, task)
        expect(
            core.went_on,
            "a long prompt takes long to tokenise, and even /health is silent until it is done",
            sent="a prompt whose tokenising ends once the loop has run something else",
            got="the loop ran nothing else meanwhile",
            expected="the loop is free: `prepare` runs in a thread",
        )
        service.reply(uid, "ok", finish_reason="stop")
        await end_of(task, "a last reply", FOR_EVER)
        await opening

    on_loop(check())


def test_refused_ones_are_never_opened(serve):
    """What `prepare` refuses is not opened, not sent, and its ApiError passes through."""

    async def check():
        service = serve(ScriptedCore(max_context=50))
        sent = "a prompt of 60 tokens, where 50 fit"
        error = await error_of(service.ask("x" * 60), sent)
        expect(
            (error.status, error.param) == (400, "prompt")
            and not service.inbox.sent
            and not service.registry.live,
            "the client can mend it; what was opened for it would never be closed",
            sent=sent,
            got=f"status {error.status}, param {error.param}, {len(service.inbox.sent)} sent, "
            f"{len(service.registry.live)} open",
            expected="status 400, param prompt, nothing sent, nothing open",
        )
        service, sent = serve(BadTokenizer()), "a good prompt; the tokenizer raises RuntimeError"
        task = service.ask()
        await asyncio.wait({task}, timeout=patience())
        error = task.exception() if task.done() else None
        expect(
            error is not None
            and (not isinstance(error, ApiError) or error.status >= 500)
            and not service.registry.live,
            "a bug of ours that is told as the client's fault is never mended",
            sent=sent,
            got=f"{error!r}, status {getattr(error, 'status', 'none')}, "
            f"{len(service.registry.live)} open",
            expected="the exception passes through, and nothing is open: it becomes a 500",
        )

    on_loop(check())


def test_cancelled_at_any_moment(serve):
    """At whichever step its client leaves, nothing of a request stays."""

    async def check():
        asyncio.get_running_loop().set_default_executor(Inline())
        for steps in range(16):
            service = serve()
            task = service.ask()
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            sent = f"a request, and after {steps} steps of the loop it is cancelled"
            await cancelled(task, sent)
            await settle()
            expect(
                not service.registry.live,
                "a client may leave at every await, also between the opening and the `try`",
                sent=sent,
                got=f"{len(service.inbox.sent)} sent to the worker, "
                f"{len(service.registry.live)} still open",
                expected="nothing open: whoever opens does not await until it is sure of `finally`",
            )

    on_loop(check())


def test_waits_as_long_as_it_takes(serve):
    """An answer waits in `take`, without a time limit of its own."""

    async def check():
        service, loop = serve(), asyncio.get_running_loop()
        task = service.ask()
        (uid,) = await service.sent(1, task)
        await settle()
        (mailbox,) = service.registry.live.values()
        expect(
            mailbox.waiting == 1 or task.done(),
            "looking again and again, it comes too late each time, and a thousand keep a core busy",
            sent="a good request, and no reply yet",
            got="nobody waits in mailbox.take()",
            expected="the answer waits there, and is woken",
        )
        loop.time = lambda: type(loop).time(loop) + 100_000  # from now on
        await settle()
        sent = "a good request, and no reply for a day, by the loop's clock"
        expect(
            not task.done(),
            "in a long queue an answer takes as long as it takes; its client may leave if it likes",
            sent=sent,
            got=task.done() and f"it ended: {task.exception() or task.result()!r}",
            expected="it waits",
        )
        service.reply(uid, "ok", finish_reason="stop")
        await end_of(task, f"{sent}; then its last", FOR_EVER)

    # Not `on_loop`, whose watchdog would see that day pass.
    with asyncio.Runner(debug=True) as runner:
        runner.run(check())


def test_a_client_that_leaves_during_tokenising(serve):
    """A request that is cancelled while it is tokenised is never opened."""
    services = []

    async def check():
        core = SlowTokenizer()
        service = serve(core)
        services.append(service)
        task = service.ask()
        held = asyncio.ensure_future(core.entered.wait())
        await asyncio.wait({held, task}, return_when="FIRST_COMPLETED", timeout=patience())
        task.cancel()
        await settle()
        core.gate.set()
        await cancelled(task, "a request, cancelled while it is tokenised")
        await asyncio.get_running_loop().shutdown_default_executor()  # its threads have ended
        await settle()

    on_loop(check())
    (service,) = services
    expect(
        not service.inbox.sent and not service.registry.live,
        "the model computes for nobody, and what was opened is never closed",
        sent="a request whose client left while its prompt was tokenised",
        got=f"{len(service.inbox.sent)} sent to the worker, {len(service.registry.live)} open",
        expected="0 and 0",
    )


def test_errors_of_the_worker(serve):
    """A last reply with an error is raised as `ApiError.of(error)`."""
    refused = Failure("invalid_request", "too long for me", "messages")

    async def check():
        for failure, status in ((refused, 400), (Failure("server_error", "it broke"), 500)):
            service = serve()
            task = service.ask()
            (uid,) = await service.sent(1, task)
            service.reply(uid, "some text")
            await settle()
            service.reply(uid, tokens=0, error=failure)
            sent = f"a reply with text, then one whose error is {failure}"
            error = await error_of(task, sent)
            expect(
                (error.status, error.message, error.param)
                == (status, failure.message, failure.param),
                "the status says who can mend it, the message how",
                sent=sent,
                got=f"status {error.status}, message {error.message!r}, param {error.param!r}",
                expected=f"status {status}, the failure's message and param",
            )

    on_loop(check())


def test_released_however_it_ends(serve):
    """Answered, failed or cancelled: the request is forgotten, and others are not."""

    async def check():
        service = serve()
        tasks = [service.ask(f"{n}") for n in range(4)]
        await service.sent(4, *tasks)
        uids = service.whose()
        service.reply(uids["0"], "ok", finish_reason="stop")
        service.reply(uids["1"], tokens=0, error=Failure("server_error", "it broke"))
        await settle()
        tasks[2].cancel()
        sent = "four requests: one answered, one failed, one cancelled, one still waiting"
        await end_of(tasks[0], sent, FOR_EVER)
        await error_of(tasks[1], sent)
        await cancelled(tasks[2], sent)
        names = {uid: name for name, uid in uids.items()}
        left = sorted(names.get(uid, uid) for uid in service.registry.live)
        expect(
            left == ["3"],
            "every request that is kept takes memory, for as long as the server runs",
            sent=sent,
            got=f"still open: {left}",
            expected="['3'], the one that waits",
        )
        late = service.registry.deliver(Reply(uids["2"], "late", 1))
        expect(late is False, "its client has left", got=late, expected="False: it is discarded")
        service.reply(uids["3"], "ok", finish_reason="stop")
        await end_of(tasks[3], sent, FOR_EVER)

    on_loop(check())


def test_each_waits_for_its_own(serve):
    """Many wait at once, and each is answered when it is finished, whoever came first."""

    async def check():
        service, done = serve(), []
        tasks = [service.ask(name * size) for size, name in enumerate("abc", 1)]
        await service.sent(3, *tasks)
        others = [service.ask("z") for _ in range(60)]
        await service.sent(63, *tasks, *others)
        uids = service.whose()
        for name in "abcab":
            service.reply(uids[name], name)
        for name in "cab":
            service.reply(uids[name], name.upper(), finish_reason="stop")
            task = tasks["abc".index(name)]
            response = await end_of(task, f"the last reply of {name}", FOR_EVER)
            got = json.loads(response.body)
            done.append((got["choices"][0]["text"], got["usage"]["prompt_tokens"]))
            left = sum(not task.done() for task in tasks)
            expect(
                left == 3 - len(done),
                "an answer that comes before its last reply is cut off",
                sent=f"{len(done)} of three requests have had their last reply",
                got=f"{left} wait",
                expected=f"{3 - len(done)}",
            )
        expect(
            done == [("cC", 3), ("aaA", 1), ("bbB", 2)],
            "everybody must get what was computed for them, as soon as it is there",
            sent="prompts a, bb and ccc, beside 60 others; replies a b c a b, then the last ones "
            "of c, a and b",
            got=f"texts and prompt tokens: {done}",
            expected="cC and 3, aaA and 1, bbB and 2",
        )

    on_loop(check())


def test_a_dead_worker_reaches_every_waiter(serve):
    """When the worker dies, all who wait get an error at once; who is answered keeps the answer."""

    async def check():
        service = serve()
        tasks = [service.ask(f"{n}") for n in range(3)]
        await service.sent(3, *tasks)
        uids = service.whose()
        mailbox, _ = await service.backend.open(asked("3"))
        await settle()
        service.reply(uids["1"], "half an answer")
        service.reply(uids["2"], "ok", finish_reason="stop")
        sent = f"three requests wait, a fourth has just had its last reply; died({SAID_WHY!r})"
        with case(sent):
            service.backend.died(SAID_WHY)
        taking = asyncio.ensure_future(mailbox.take())
        replies = await end_of(taking, sent, FOR_EVER)
        error = replies[-1].error
        expect(
            len(replies) == 1
            and getattr(error, "kind", None) == "server_error"
            and SAID_WHY in error.message,
            "the kind says whose fault it was, in one of two known words: ours is server_error",
            sent=sent,
            got=f"one that waits gets {replies}",
            expected=f'one reply, whose error is Failure("server_error", {SAID_WHY!r})',
        )
        released = service.backend.release(mailbox)
        if inspect.iscoroutine(released):
            released.close()
            fail(
                "in a clean-up, an `await` is one more place at which it can be cut short",
                sent="release(mailbox), from a plain call",
                got=released,
                expected="it is done when the call returns: a plain function",
            )
        for task in tasks[:2]:
            error = await error_of(task, sent)
            expect(
                error.status == 500 and SAID_WHY in error.message,
                "no reply will ever come: without an error they wait until they give up",
                sent=sent,
                got=f"status {error.status}: {error.message}",
                expected=f"status 500, saying {SAID_WHY!r}",
            )
        response = await end_of(tasks[2], sent, FOR_EVER)
        expect(
            response.status_code == 200 and not service.registry.live,
            "it was finished in time, and nothing should stay open",
            sent=sent,
            got=f"status {response.status_code}, {len(service.registry.live)} open",
            expected="status 200, nothing open",
        )

    on_loop(check())


def test_nobody_is_given_to_a_dead_worker(serve):
    """Once the worker is dead, requests are refused with 503, also one that is being tokenised."""

    async def check():
        core = SlowTokenizer()
        service = serve(core)
        expect(service.backend.dead is None, "/health reads it", got=service.backend.dead)
        early = service.ask("early")
        held = asyncio.ensure_future(core.entered.wait())
        await asyncio.wait({held, early}, return_when="FIRST_COMPLETED", timeout=patience())
        service.backend.died(SAID_WHY)
        core.gate.set()
        for task, when in (
            (early, "a request that was being tokenised when the worker died"),
            (service.ask("late"), "a request that came after the worker had died"),
        ):
            error = await error_of(task, when)
            expect(
                error.status == 503 and SAID_WHY in error.message,
                "a message into the inbox of a dead worker is never answered",
                sent=when,
                got=f"status {error.status}: {error.message}",
                expected=f"status 503, saying {SAID_WHY!r}",
            )
        expect(
            not service.inbox.sent and not service.registry.live,
            "what is opened for nobody is never closed",
            sent="two requests, to a dead worker",
            got=f"{len(service.inbox.sent)} sent to the worker, {len(service.registry.live)} open",
            expected="0 and 0",
        )
        dead = service.backend.dead
        expect(
            dead == SAID_WHY,
            "/health shows it, so that somebody restarts the server",
            sent=f"died({SAID_WHY!r})",
            got=f"backend.dead is {dead!r}",
            expected=repr(SAID_WHY),
        )

    async def at_any_moment():
        asyncio.get_running_loop().set_default_executor(Inline())
        for steps in range(16):
            service = serve()
            task = service.ask()
            for _ in range(steps):
                await asyncio.sleep(0)
            service.backend.died(SAID_WHY)
            sent = f"a request, and after {steps} steps of the loop died({SAID_WHY!r})"
            why = "what was seen of `dead` before an `await` need not be true after it: look behind"
            error = await error_of(task, sent, why)
            expect(
                error.status in (500, 503) and not service.registry.live,
                "whoever is told to try elsewhere is served there; whoever is told nothing waits",
                sent=sent,
                got=f"status {error.status}, {len(service.registry.live)} still open",
                expected="503 if it was not opened yet, else 500; nothing open",
            )

    on_loop(check())
    on_loop(at_any_moment())
