"""Task 5.2: CancelOnDisconnect(app)."""

import asyncio
import socket
import threading

import anyio
import pytest

from chapters.course.calling import HASTY, WATCHDOG, on_loop, pieces
from chapters.course.checking import case, expect, fail, provided
from chapters.course.real_server import running

LEFT = {"type": "http.disconnect"}
patience = WATCHDOG - 1  # seconds until a call that should end is said to go on; no answer waits


class Caller:
    """The far side of one ASGI call. It sends its messages, is silent, and leaves when told to.

    taken: how many messages were read from it; sent: what it was sent.
    """

    def __init__(self, *messages: dict):
        self.messages, self.taken, self.sent = list(messages or pieces(b"{}")), 0, []
        self.leaving = asyncio.Event()

    async def receive(self) -> dict:
        if self.taken < len(self.messages):
            self.taken += 1
            return dict(self.messages[self.taken - 1])
        await self.leaving.wait()
        return dict(LEFT)

    async def send(self, message: dict) -> None:
        self.sent.append(message)


class Waiting:
    """An app that begins, waits for ever, and notes how it was ended."""

    def __init__(self):
        self.begun, self.end = asyncio.Event(), "still running"

    async def __call__(self, scope, receive, send):
        self.begun.set()
        try:
            await self.wait(receive, send)
        except asyncio.CancelledError:
            self.end = "cancelled"
            raise

    async def wait(self, receive, send):
        await asyncio.Event().wait()

    @property
    def state(self) -> str:
        """Its end so far, in words."""
        return self.end


class Tidy(Waiting):
    """One whose clean-up takes some turns of the loop, shielded from anyio's scopes."""

    told = tidied = False

    async def wait(self, receive, send):
        try:
            await asyncio.Event().wait()
        finally:
            self.told = True
            with anyio.CancelScope(shield=True):
                await self.tidy()
                self.tidied = True

    async def tidy(self):
        await settled()
        await settled()

    @property
    def state(self) -> str:
        going = self.told and not self.tidied and self.end == "still running"
        return "cancelled, and still cleaning up" if going else self.end


class Held(Tidy):
    """One whose clean-up waits at a gate."""

    def __init__(self):
        super().__init__()
        self.tidying, self.gate = asyncio.Event(), asyncio.Event()

    async def tidy(self):
        self.tidying.set()
        await self.gate.wait()


async def settled() -> None:
    """Let everything that is ready on the loop run."""
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.fixture
def layer():
    return provided("chapters.ch05_cancellation.disconnect", "CancelOnDisconnect")


async def leave(layer, app, *messages, sent):
    """Call the layer around `app`, and have the client leave once the app has begun."""
    caller, before = Caller(*messages), asyncio.all_tasks()
    call = asyncio.ensure_future(layer(app)({"type": "http"}, caller.receive, caller.send))
    await begins(app, call)
    caller.leaving.set()
    await ends(call, app, sent)
    await all_ended(before | {call}, sent)


async def begins(app, call) -> None:
    """The app is called, and waits."""
    await comes(app.begun, call)
    if not app.begun.is_set():
        with case("a request", expected="the app is called"):
            if call.done():
                call.result()
        fail(
            "a layer that does not call its app answers nobody",
            sent="a request",
            got=f"the call {outcome(call)}, and the app was not called",
            expected="the app is called",
        )


async def comes(event, call) -> None:
    """The event is set; or the call has ended without it, or nothing happens any more."""
    global patience
    coming = asyncio.ensure_future(event.wait())
    await asyncio.wait({coming, call}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
    coming.cancel()
    await settled()
    if not (event.is_set() or call.done()):
        patience = HASTY / 2


WAITS = "http.disconnect, while the app waits"


async def ends(call, app, sent=WAITS) -> None:
    """The call ends quietly, now that its client has left."""
    global patience
    done, _ = await asyncio.wait({call}, timeout=patience)
    if not done:
        patience = HASTY / 2
        fail(
            "nobody reads the answer any more, and the model works on it to its last token",
            sent=sent,
            got=f"the call goes on; the app: {app.state}",
            expected="the app is cancelled, whatever it waits for, and then the call ends",
        )
    with case(
        sent, expected="it ends quietly: only the client has left, nobody has cancelled the call"
    ):
        call.result()


def outcome(task) -> str:
    """How a task has ended, if it has."""
    if not task.done():
        return "goes on"
    if task.cancelled():
        return "was cancelled"
    return f"raised {task.exception()!r}" if task.exception() else "returned"


OF_THE_CHECK = {"Waiting.__call__": "the app", "Caller.receive": "a call of receive()"}


def named(task) -> str:
    """What a task runs, in words."""
    name = getattr(task.get_coro(), "__qualname__", str(task.get_coro()))
    return OF_THE_CHECK.get(name, "the app" if name.endswith(".app") else name)


async def all_ended(before, sent) -> None:
    """No task but those in `before` and this one is left."""
    await settled()
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    expect(
        not left,
        "what is left runs for nobody: an app holds its KV cache as long as it likes, a listener "
        "its connection, and there is one more with every request",
        sent=sent,
        got=f"the call has ended; still running: {', '.join(named(task) for task in left)}",
        expected="no task that was started for this call still runs",
    )


def test_an_app_that_ends(layer):
    """An app that ends by itself is not cancelled, its response is untouched, nothing is left."""
    seen = []

    async def app(scope, receive, send):
        try:
            body = (await receive())["body"]
            await settled()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await settled()
            await send({"type": "http.response.body", "body": body + scope["mark"]})
            seen.append("ended")
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise

    async def scene():
        caller, before = Caller(*pieces(b"abc")), asyncio.all_tasks()
        scope = {"type": "http", "mark": b"!"}
        await layer(app)(scope, caller.receive, caller.send)
        await all_ended(before, "a request to an app that ends by itself")
        return caller.sent

    sent = on_loop(scene())
    expect(
        seen == ["ended"] and [m.get("status", m.get("body")) for m in sent] == [200, b"abc!"],
        "most clients stay to the end, and nothing may change for them",
        sent="a client that stays, to an app that answers with its body and a mark of the scope",
        got=f"the app {seen}; sent: {sent}",
        expected="the app ended; status 200 and b'abc!' were sent",
    )


def test_an_app_that_fails(layer):
    """The exception of an app is raised as it is, and nothing is left."""

    async def app(scope, receive, send):
        await settled()
        raise LookupError("a bug of the app")

    async def scene():
        caller, before = Caller(), asyncio.all_tasks()
        try:
            await layer(app)({"type": "http"}, caller.receive, caller.send)
        except LookupError as error:
            await all_ended(before, "a request to an app that raises LookupError")
            return error
        except BaseException as error:
            got = f"{type(error).__name__}: {error}"
        else:
            got = "no exception"
        fail(
            "the layers outside answer an error by its kind: one that is swallowed is an answer "
            "that never comes, and a wrapped one is not recognised",
            sent="a request to an app that raises LookupError",
            got=got,
            expected="the LookupError",
        )

    on_loop(scene())


KEPT = "each message comes once: what the layer reads and keeps to itself, the app never gets"


def test_body(layer):
    """The app gets every piece of its body, in order; few are read before it asks."""
    sent = pieces(*(f"{number} ".encode() for number in range(100)), b"", b"end")
    ahead = []

    class Reading(Waiting):
        async def wait(self, receive, send):
            self.got = []
            while not self.got or self.got[-1]["more_body"]:
                await settled()
                ahead.append(caller.taken - len(self.got))
                self.got.append(await receive())

    async def scene():
        global patience
        nonlocal caller
        caller, app = Caller(*sent), Reading()
        call = asyncio.ensure_future(layer(app)({"type": "http"}, caller.receive, caller.send))
        if not (await asyncio.wait({call}, timeout=patience))[0]:
            patience = HASTY / 2
            fail(
                KEPT,
                sent=f"a body in {len(sent)} pieces",
                got=f"{caller.taken} pieces were read from the client; the app was given "
                f"{len(app.got)} of them, and waits for more",
                expected=f"the app is given all {len(sent)} pieces, in order and unchanged",
            )
        call.result()
        return app.got

    caller = None
    got = on_loop(scene())
    expect(
        got == sent,
        KEPT,
        sent=f"a body in {len(sent)} pieces",
        got=f"{len(got)} pieces: {[message.get('body') for message in got]}",
        expected=f"all {len(sent)} pieces, in order and unchanged",
    )
    expect(
        max(ahead) <= 3,
        "a server that reads on while its app is busy can be filled by one upload",
        sent=f"a body in {len(sent)} pieces, to an app that takes its time",
        got=f"{max(ahead)} pieces were read that the app had not asked for",
        expected="at most 3",
    )


def test_no_token_is_coming(layer):
    """An app that waits for something that never comes is cancelled; that ends quietly."""
    for body in (pieces(b"{}"), pieces(b'{"prompt": ', b'"Hi"}')):
        size = "one message" if len(body) == 1 else "two messages"
        sent = f"a body of {size}, to an app that has read and sent nothing; then http.disconnect"
        app = on_loop(_left(layer, Waiting, *body, sent=sent))
        expect(
            app.end == "cancelled",
            "in a long prefill or a long queue no token comes for minutes, and all that time the "
            "model works for nobody",
            sent=sent,
            got=f"the app: {app.end}",
            expected="cancelled, while it still waits",
        )


async def _left(layer, new_app, *messages, sent=WAITS):
    app = new_app()
    await leave(layer, app, *messages, sent=sent)
    return app


def test_a_write_that_waits(layer):
    """In mid-stream, an app whose `send` waits for a slow socket is cancelled too."""

    class Writing(Waiting):
        async def wait(self, receive, send):
            await receive()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"data: 1\n\n", "more_body": True})
            await asyncio.Event().wait()

    class Stuck(Caller):
        async def send(self, message):
            await super().send(message)
            if len(self.sent) == 2:
                await asyncio.Event().wait()

    async def scene():
        app, caller = Writing(), Stuck()
        call = asyncio.ensure_future(layer(app)({"type": "http"}, caller.receive, caller.send))
        await begins(app, call)
        started = len(caller.sent)
        caller.leaving.set()
        await ends(call, app, "http.disconnect, while the app waits in send()")
        return app.end, started

    end, started = on_loop(scene())
    expect(
        started == 2,
        "a stream must leave as it is written",
        sent="the start of a response and one event",
        got=f"{started} messages reached the client",
        expected="2",
    )
    expect(
        end == "cancelled",
        "a client that stops reading and then leaves never lets the write end: whoever waits "
        "for the write to fail waits for ever",
        sent="http.disconnect, while send() waits",
        got=f"the app: {end}",
        expected="cancelled",
    )


def test_in_mid_body(layer):
    """A client that leaves before its body is complete ends the call as well."""

    class Reading(Waiting):
        async def wait(self, receive, send):
            self.got = []
            while not self.got or self.got[-1].get("more_body"):
                self.got.append(await receive())

    first = {"type": "http.request", "body": b'{"prompt": "Hi', "more_body": True}
    sent = "a first piece with more_body True, then http.disconnect"
    app = on_loop(_left(layer, Reading, first, sent=sent))
    expect(
        app.got[:1] == [first] and app.got[1:] in ([], [LEFT]),
        "half a body must not be taken for a whole one",
        sent=sent,
        got=app.got,
        expected="the piece, and then either the app is cancelled or it is told http.disconnect",
    )


def test_clean_up_is_over(layer):
    """When the call returns the app's clean-up is over, also one that waits, shielded."""
    sent = "http.disconnect, to an app whose clean-up awaits inside CancelScope(shield=True)"
    app = on_loop(_left(layer, Tidy, sent=sent))
    expect(
        app.tidied and app.end == "cancelled",
        "an app that is left in the middle of its clean-up, or cancelled once more in it, keeps "
        "what it was about to give back",
        sent=sent,
        got=f"clean-up over: {app.tidied}; the app: {app.end}",
        expected="clean-up over: True; the app: cancelled, once",
    )


def test_cancelled_from_outside(layer):
    """If the call itself is cancelled, the app is too, and the cancellation is raised on."""

    async def scene():
        app, caller, before = Tidy(), Caller(), asyncio.all_tasks()
        call = asyncio.ensure_future(layer(app)({"type": "http"}, caller.receive, caller.send))
        await begins(app, call)
        call.cancel()
        await asyncio.wait({call})
        expect(
            app.end == "cancelled",
            "a server that shuts down cancels its calls, not the tasks that they have started; "
            "and it believes that all is over when the call is",
            sent="cancel() of the call, while the app waits",
            got=f"the app: {app.state}, when the call had ended",
            expected="cancelled, and through with its clean-up",
        )
        expect(
            app.tidied,
            "whoever shuts down believes that all is over when the call is",
            sent="cancel() of the call, around an app whose clean-up takes a while",
            got="the app had not cleaned up when the call had ended",
            expected="the app is cancelled once, and the call ends when the app has",
        )
        expect(
            call.cancelled(),
            "whoever cancels must learn that it was done: a swallowed cancellation hangs shutdowns",
            sent="cancel() of the call",
            got=f"the call {outcome(call)}",
            expected="CancelledError is raised on",
        )
        await all_ended(before | {call}, "cancel() of the call")

    on_loop(scene())


def test_a_scope_around_it(layer):
    """A scope that cancels the call knows the cancellation that comes out for its own."""

    async def scene():
        app, caller, before = Tidy(), Caller(), asyncio.all_tasks()
        scope = anyio.CancelScope()

        async def limited():
            with scope:
                await layer(app)({"type": "http"}, caller.receive, caller.send)

        call = asyncio.ensure_future(limited())
        await begins(app, call)
        scope.cancel()
        await asyncio.wait({call})
        expect(
            not call.cancelled() and not call.exception() and scope.cancelled_caught,
            "a limit of time, such as anyio.move_on_after, knows its own CancelledError; another "
            "one it lets pass, and everything around it ends too",
            sent="cancel() of an anyio.CancelScope around the call, while the app waits",
            got=f"caught: {scope.cancelled_caught}; the task around the scope {outcome(call)}",
            expected="the CancelledError that came is raised on, and caught by the scope",
        )
        expect(
            app.tidied and app.end == "cancelled",
            "such a scope cancels at every await until the call has ended, and each time the app "
            "must be waited for all the same",
            sent="cancel() of an anyio.CancelScope around the call, while the app waits",
            got=f"clean-up over: {app.tidied}; the app: {app.state}, when the call had ended",
            expected="clean-up over: True; the app: cancelled, once",
        )
        await all_ended(before | {call}, "cancel() of an anyio.CancelScope around the call")

    on_loop(scene())


CANCEL, LEAVE = "cancel() of the call", "http.disconnect"


def test_once_more_during_the_clean_up(layer):
    """What comes while the app cleans up, a cancellation or a disconnect, ends nothing early."""

    async def scene(first, second):
        app, caller, before = Held(), Caller(), asyncio.all_tasks()
        call = asyncio.ensure_future(layer(app)({"type": "http"}, caller.receive, caller.send))
        happen = {CANCEL: call.cancel, LEAVE: caller.leaving.set}
        try:
            await begins(app, call)
            happen[first]()
            await cleans_up(app, call, first)
            happen[second]()
            await settled()
            goes_on(app, call, second, sent=f"{first}; while the app's clean-up waits, {second}")
        finally:
            app.gate.set()
        await asyncio.wait({call})
        expect(
            call.cancelled(),
            "whoever cancels must learn that it was done: a swallowed cancellation hangs shutdowns",
            sent=f"{first}; while the app's clean-up waits, {second}",
            got=f"the call {outcome(call)}",
            expected="CancelledError is raised on, when the app has ended",
        )
        await all_ended(before | {call}, f"{first}; while the app's clean-up waits, {second}")

    for first, second in ((CANCEL, CANCEL), (LEAVE, CANCEL), (CANCEL, LEAVE)):
        on_loop(scene(first, second))


async def cleans_up(app, call, sent) -> None:
    """The app has been cancelled, and waits in its clean-up."""
    await comes(app.tidying, call)
    if not app.tidying.is_set():
        fail(
            "nobody reads the answer any more, and the model works on it to its last token",
            sent=f"{sent}, while the app waits",
            got=f"the app: {app.end}",
            expected="the app is cancelled, and cleans up",
        )


def goes_on(app, call, second, sent) -> None:
    """Neither has the call left the app behind, nor was the clean-up interrupted for nothing."""
    expect(
        not call.done() or app.end == "cancelled",
        "who shuts down and is out of patience cancels again; when the call has ended it believes "
        "that all is over, and closes what the app still needs to clean up",
        sent=sent,
        got="the call has ended, and the app is still cleaning up",
        expected="the call ends when the app has",
    )
    expect(
        second == CANCEL or app.end == "still running",
        "the app was told already that it is over; to cancel it once more interrupts its "
        "clean-up, and what it was about to give back is kept",
        sent=sent,
        got=f"the app: {app.end}, in the middle of its clean-up",
        expected="its clean-up goes on",
    )


def test_real_sockets(layer):
    """Over real sockets, of two callers of one layer only the app of the one that left ends."""
    begun, ended = threading.Semaphore(0), threading.Event()
    ends, going = {}, []

    async def app(scope, receive, send):
        name, may_go = scope["path"], asyncio.Event()
        try:
            await receive()
            going.append((asyncio.get_running_loop(), may_go))
            begun.release()
            await may_go.wait()
            ends[name] = "answered"
            await send({"type": "http.response.start", "status": 204, "headers": []})
            await send({"type": "http.response.body"})
        except asyncio.CancelledError:
            ends[name] = "cancelled"
            ended.set()
            raise

    def go():
        while going:
            loop, may_go = going.pop()
            loop.call_soon_threadsafe(may_go.set)

    layered = layer(app)

    async def whole(scope, receive, send):
        await layered(scope, receive, send)

    with running(whole, before_end=go) as url:
        address = ("127.0.0.1", int(url.rpartition(":")[2]))
        leaves = socket.create_connection(address, WATCHDOG)
        with socket.create_connection(address, WATCHDOG) as stays:
            for caller, name in ((leaves, "leaves"), (stays, "stays")):
                caller.sendall(f"POST /{name} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
                expect(begun.acquire(timeout=WATCHDOG), "each request must reach the app")
            leaves.close()
            noticed = ended.wait(patience)
            go()
            status = stays.recv(100).partition(b"\r\n")[0]
    expect(
        noticed and ends.get("/leaves") == "cancelled",
        "this is a browser tab that was closed: its answer is computed to the end for nobody, or "
        "a stranger's is broken off in its place",
        sent="two requests to one layer; the first caller closes its connection",
        got=f"the first one's app: {ends.get('/leaves', 'still running')}; "
        f"the second one's: {ends.get('/stays', 'still running')}",
        expected="the first one's app: cancelled; the second one's: answered",
    )
    expect(
        ends.get("/stays") == "answered" and status == b"HTTP/1.1 204 No Content",
        "one client leaves, and a stranger's answer is broken off",
        sent="two requests to one layer; the first caller closes its connection",
        got=f"the second one's app: {ends.get('/stays')}; the second caller read {status}",
        expected="answered; HTTP/1.1 204 No Content",
    )
