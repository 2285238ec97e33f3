# %% [markdown]
# # Chapter 5: cancellation
#
# > The answer goes on and on, and you have seen enough. You press Stop, or close the tab. Does the
# > model stop?
#
# At the end of chapter 4 it did not: the client had left, and the server computed every remaining
# token for nobody. This chapter takes the news that a client has left from the socket, where it
# arrives, to the KV cache, where it matters.
#
# About 60 minutes, and two hours more for the exercise. Streams are in
# [chapter 4](ch04_streaming.ipynb), tasks and the event loop in [waiting](ch00b_waiting.ipynb).

# %%
from start import *

import asyncio
import json
from functools import partial

import anyio

from chapters.core import embedded
from chapters.lessons.events import asked, reads_of
from chapters.lessons.traces import lanes
from chapters.lessons.leaving import (
    after_leaving,
    happened,
    leave,
    press_stop,
    spent,
    three_moments,
)
from chapters.lessons.own import layer
from chapters.lessons.slow import piled_up, stay_without_reading

# %% [markdown]
# ## What a client that leaves costs
#
# The same client asks chapter 4's server and chapter 5's for 60 tokens, at 100 tokens a second. It
# leaves when the fifth has been computed. It does so once as a stream, and once without: then it
# has seen nothing yet when it closes.
#
# *Before you run it:* how many forward passes does each of the four runs cost? How many of them
# begin after the client has left?

# %%
my_guess = {"chapter 4": "…", "chapter 5": "…"}

# %%
runs, whose = [], []
for chapter in (4, 5):
    with serve(chapter, pace=100) as server:
        for kind, stream_it in {"streamed": True, "whole": False}.items():
            run = leave(server, f"chapter {chapter}, {kind}", 5, max_tokens=60, stream=stream_it)
            runs.append(run)
    whose.append(server.whose)

show(
    spent(runs, "Chapter 4 computes on for a client that has left", "; ".join(whose)),
    alt="Four rows of forward passes with a line where the client leaves. In chapter 4's two rows "
    "about fifty hatched passes follow after the line, in chapter 5's none, or one.",
)
for run in runs:
    print(f"{run.name}: KV cache freed {1000 * run.freed:.0f} ms after the client left")

# %% [markdown]
# Chapter 4 makes all 60 passes, streamed or not. Most of them begin when nobody is there any more.
# Chapter 5 lets the pass under way end, perhaps one more that began before the news arrived, and
# that is all.
#
# The bill is not only for the passes. Until the cache is freed it takes memory that another
# request could use, and others who take turns with this one wait for its tokens.
#
# ### Why does nobody stop it?
#
# Closing a connection tells the operating system of the other side. It tells the program there
# only when it asks. And it tells nobody behind the program: the worker has an inbox, and nothing
# is in it.
#
# Surely the server notices when it writes to a connection that is gone? *Guess:* how many times
# did chapter 4's server write to the client of its first run after that had left, and how many of
# these writes failed?

# %%
first = runs[0]
writes = [e for e in first.events if e.kind == "written" and e.time > first.time]
failed = [e for e in first.events if e.kind == "failed"]
print(f"{len(writes)} writes after the client had left, {len(failed)} failures")

# %% [markdown]
# Nothing failed. Under uvicorn, `send` to a client that has left returns as if all were well. And
# where writes do fail, they do so only when there is something to write: a request that streams
# nothing, or waits in a queue, would never learn it.
#
# ## How a client's leaving is told
#
# An ASGI server calls an app as `await app(scope, receive, send)`, and each `await receive()`
# returns the next message from the client. In chapter 1 it gave you the body, piece by piece.
# After the body there is nothing to give, so it waits; and when the client leaves, it returns
# `{"type": "http.disconnect"}`. That is the only announcement there is. Whoever does not await
# `receive` does not hear it.
#
# Below, an app reads its body and then waits for a token that does not come. Its client leaves.
# The messages are put in by hand; no server is needed. It runs once alone, and once inside Task
# 5.2's layer.
#
# *Before you run it:* which of the two ends?


# %%
async def app(scope, receive, send):
    await receive()  # the body
    try:
        await asyncio.Event().wait()  # the next token
    finally:
        log.append("cleaned up")


# %%
own = layer(5)
apps = {"alone": app, "inside the layer": own.disconnect.CancelOnDisconnect(app)}
for name, called in apps.items():
    log, messages = [], asyncio.Queue()
    messages.put_nowait({"type": "http.request", "body": b"{}", "more_body": False})
    call = asyncio.create_task(called({"type": "http"}, messages.get, None))
    messages.put_nowait({"type": "http.disconnect"})
    ended, _ = await asyncio.wait({call}, timeout=0.3)
    print(f"{name}: {'has ended' if ended else 'still waits'}, {log}")
    call.cancel()
    await asyncio.wait({call})
print(f"({own.whose})")

# %% [markdown]
# Alone, the app waits for its token, and the message lies in `receive` where nobody takes it. The
# cell had to end it by force.
#
# The layer runs the app in a task of its own and, beside it, a second task that awaits `receive`.
# Whoever ends first decides: if it is the app, the listener is not needed any more; if it is the
# listener, the app is cancelled. So the client's leaving is noticed whatever the app waits for: a
# token, a queue, a slow socket.
#
# ## How Python stops a task
#
# `task.cancel()` stops nothing by itself. It makes the `await` at which the task waits raise
# `asyncio.CancelledError`. What happens next is the task's affair.
#
# *Before you run it:* which of the two lines end up in the log?


# %%
async def waiting():
    try:
        await asyncio.Event().wait()  # for something that never comes
    except Exception:
        log.append("except Exception")
    finally:
        log.append("finally")


log = []
task = asyncio.create_task(waiting())
await asyncio.sleep(0)  # lets it run up to its await
task.cancel()
await asyncio.wait({task})
print(log, "cancelled:", task.cancelled())

# %% [markdown]
# Only `finally`. `CancelledError` is no `Exception`, precisely so that code which catches
# "everything" does not swallow it. Clean-up that stands in `except Exception` forgets every client
# that leaves.
#
# A `finally` has a trap of its own. Its `await`s are places to be cancelled too. Some frameworks,
# Starlette's streaming among them, cancel at *every* `await` until the task has ended. In plain
# asyncio a second `cancel()` does the same once.
#
# Here are three ways to release something, each under both ways of cancelling. The frameworks'
# way comes from `anyio`, a library that Starlette is built on; `CancelScope(shield=True)` keeps its
# cancellation out. *Which releases are made?*


# %%
async def plain():
    await asyncio.sleep(0)
    log.append("plain")


async def shielded():
    with anyio.CancelScope(shield=True):
        await asyncio.sleep(0)
        log.append("shielded")


async def awaits_nothing():
    log.append("awaits nothing")


async def working(release):
    try:
        await asyncio.Event().wait()
    finally:
        await release()


# %%
ways = [plain, shielded, awaits_nothing]
log = []
for release in ways:
    async with anyio.create_task_group() as group:
        group.start_soon(working, release)
        await asyncio.sleep(0)
        group.cancel_scope.cancel()
print("a framework that cancels at every await:", log)

log = []
for release in ways:
    task = asyncio.create_task(working(release))
    for _ in range(2):
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.wait({task})
print("task.cancel(), twice:                   ", log)

# %% [markdown]
# Clean-up that awaits nothing cannot be interrupted. That is why `release`, in Task 5.4, is an
# ordinary function: it puts an `Abort`, a message with the request's id, into the worker's inbox,
# which never waits, and takes an entry out of a table. Where clean-up has to await, a shield helps
# against the framework that respects it.
#
# ## What a request holds, and where
#
# | Where | What | Given back at a normal end | At an abort |
# |---|---|---|---|
# | API server | its mailbox, with unread replies | `release`, in a `finally` | the same |
# | inbox | the request, until the worker takes it | taken | the `Abort` stands behind it |
# | worker | its place in the turns, and its decoding state | at its last step | it is dropped |
# | core | its KV cache | at its last step | it is dropped |
#
# `/stats` counts the four: `open` mailboxes, messages `waiting` in the inbox, requests `running`
# in the worker, `kv_tokens` in caches. A gate holds the model, so that there is time to look: A is
# in its first forward pass, and B has just asked. `asked` opens a connection and sends a request;
# where its `with` block ends, the connection is closed.
#
# *Before you run it:* what do the four say then? And when both have their answers?


# %%
def look(moment):
    stats = ask(server, path="/stats").json
    held = ("open", "running", "waiting", "kv_tokens", "aborted", "discarded")
    print(f"{moment:27}", *(f"{name} {stats[name]:<3}" for name in held))


def for_tokens(number):
    fields = {"max_tokens": number, "ignore_eos": True, "stream": True}
    return request_bytes({"prompt": "Once", **fields})


# %%
with serve(5, gated=True) as server:
    look("nobody is there")
    with asked(server, for_tokens(4)) as a:
        server.watch.wait_for("prefill")
        with asked(server, for_tokens(4)) as b:
            server.watch.wait_for("submitted", 2)
            look("A in a pass, B in the inbox")
            server.open()
            answers = [b"".join(read.data for read in reads_of(client)) for client in (a, b)]
    server.watch.wait_for("kv freed", 2)
    look("both have their answers")

# %% [markdown]
# At a normal end every part gives its own back, and nobody has to be told. An abort has to reach
# the same four places.
#
# ### One abort, whatever the request was doing
#
# A stays to the end. B leaves while it takes turns with A. C leaves before the worker has even
# taken it up. The gate holds a pass of A while B and C leave (`allow(3)` lets three passes go on,
# `open()` all of them); a pass takes 50 ms here.
#
# *Before you run it:* how many passes begin for B after it has left, and how many for C?

# %%
with serve(5, gated=True, pace=20) as server:
    with asked(server, for_tokens(8)) as a:
        server.watch.wait_for("prefill")
        with asked(server, for_tokens(8)):
            server.watch.wait_for("submitted", 2)
            server.allow(3)  # A, then A and B
            server.watch.wait_for("decode", 2)  # A's third pass is held
            with asked(server, for_tokens(8)):
                server.watch.wait_for("submitted", 3)
        server.watch.wait_for("abort asked", 2)
        look("B and C have left")
        server.open()
        answer = b"".join(read.data for read in reads_of(a))
    server.watch.wait_for("kv freed", 2)
    look("A has its answer")

# %%
show(
    timeline(server.watch, "B gets at most one more pass, C none, A loses nothing", server.whose),
    alt="Three rows. A has eight passes. B has one or two, then its abort is done and its cache "
    "freed. C has none: its abort is asked and done.",
)

# %% [markdown]
# The abort goes the way that the request went: API server, inbox, worker, cache. When B and C had
# left, three messages lay in the inbox: C's request, and two `Abort`s. The worker looks there
# between two turns. The turn of A and B had begun, so B has one pass more; that is the most there
# can be. C's request came out of the inbox together with its `Abort`, and no pass was made.
#
# Each station has to pass the news on. Below, one is broken at a time. *Guess* for each: does the
# model stop, and is the memory freed?

# %%
stations = {
    None: "all work",
    "listener_is_never_started": "nobody listens to receive",
    "nobody_is_told": "no Abort is sent",
    "forgets_first": "forgotten, then looked up",
    "abort_is_ignored": "the turns ignore it",
    "cache_is_left_to_the_collector": "the cache is not closed",
}
for wrong, what in stations.items():
    with serve(5, wrong=wrong, pace=200) as server:
        print(f"{what:28} {after_leaving(server, 5)}")

# %% [markdown]
# A chain of four: hear it, tell the worker, drop, free. One broken link undoes them all, and no
# test of another link shows it. That is why the exercise's last task checks a whole run, from the
# client's leaving to the freed cache.
#
# *Forgotten, then looked up* has every link, in the wrong order: the request is taken out of the
# registry, then looked up there to be aborted, and not found. So `release` aborts first and forgets
# then. (SGLang, pull request 34894.)
#
# ## Asked, noticed, freed
#
# Stop was pressed, and the answer on the screen stands still. When is the memory free?
#
# Now on the real model. A gate holds its third forward pass. You press stop 0.4 s into it; the
# pass may end 0.8 s later. The KV cache is weighed in the server: the bytes of all its tensors
# that are alive.
#
# *Before you run it,* pick one. The memory falls
#
# - **a** when stop is pressed,
# - **b** when the server notices that the client has left,
# - **c** when the pass has ended,
# - **d** when the answer would have been complete.

# %%
my_guess = "…"

# %%
story = [{"role": "user", "content": "Tell me a long story about a lighthouse and its keeper."}]
body = {"messages": story, "max_tokens": 200, "temperature": 0, "stream": True}
request = request_bytes(body, "/v1/chat/completions")
with serve(5, model=None, threads=1, gated=True) as server:
    stop = press_stop(server, request, before=0.4, after=0.8)
    stats = ask(server, path="/stats").json
    ask(server, story, max_tokens=3)  # once more, for later
    prefills = [e.data["tokens"] for e in server.watch.of("prefill")]

show(
    three_moments(
        stop,
        "Noticed at once, freed when the pass has ended",
        f"{server.model_name}, {server.whose}",
    ),
    alt="Three lanes over time: the client stops reading, the API server notices right after, the "
    "worker's pass goes on for 0.8 s more, and then the cache is freed. Below: the bytes of the "
    "KV cache stay level and fall to zero at that moment.",
)

# %%
noticed = stop.asked  # when the server sent the Abort
print(f"asked → noticed {1000 * max(0, noticed - stop.pressed):7.1f} ms")
print(
    f"noticed → freed {1000 * (stop.freed - noticed):7.1f} ms, of which the pass took "
    f"{1000 * (stop.ended - noticed):.1f} ms"
)
late = [e for e in stop.events if e.kind in ("prefill", "decode") and e.time > stop.pressed]
print(f"passes begun after stop was pressed: {len(late)}")

# %% [markdown]
# It is **c**. Three moments, and they are apart:
#
# - **asked**: stop is pressed, and the connection closed;
# - **noticed**: the API server hears of it, within milliseconds, and sends the `Abort` (the trace
#   calls this `abort asked`);
# - **freed**: the pass under way has ended, the worker has looked into its inbox, and the request
#   is dropped.
#
# Cancelling is *cooperative*. It takes effect between steps. Work that has been handed to the
# processor, or to a GPU, is not undone; its result is thrown away. So the delay is what is left of
# one step. Here that is the time for which the gate held the pass: change `after` and see the last
# moment move. With `before=None` you press stop yourself, by Enter.
#
# ### How much memory is that?
#
# For each token the cache keeps a key and a value in every layer. The model's own settings say how
# many numbers that is; the trace says how many bytes were alive, and for how many tokens.

# %%
config = json.loads((embedded.folder() / "config.json").read_text())
layers, heads = config["num_hidden_layers"], config["num_key_value_heads"]
numbers = 2 * layers * heads * config["head_dim"]
weighed = max(e.data["bytes"] for e in stop.events if e.kind == "kv bytes")
held = next(e.data["tokens"] for e in stop.events if e.kind == "kv freed")
print(f"2 × {layers} layers × {heads} KV heads × {config['head_dim']} = {numbers} numbers a token")
print(
    f"weighed: {weighed} bytes for {held} tokens = {weighed / held:.0f} bytes a token, "
    f"{weighed / held / numbers:.0f} bytes a number"
)

# %% [markdown]
# The two agree. Multiply it: a conversation of 2,000 tokens, on this model and on one of 8 billion
# parameters.

# %%
larger = 2 * 32 * 8 * 128 * 2  # 32 layers, 8 KV heads of 128 numbers, 2 bytes each
for name, each in {"this model": weighed / held, "8 billion": larger}.items():
    print(f"{name:10} {each / 1000:4.0f} kB a token, {2000 * each / 1e6:4.0f} MB a conversation")

# %% [markdown]
# A hundred closed tabs of the larger model, and the worker told of none: 26 GB of a GPU's memory,
# for nobody.
#
# ### Freed at once is a policy
#
# At the end of its cell, the same question was asked once more. Did the server remember anything
# of it?

# %%
print(f"tokens in the first prefill: {prefills[0]}, in the second: {prefills[1]}")

# %% [markdown]
# No: the whole prompt was computed a second time. The cache was freed although its first part
# would have served again.
#
# Other servers decide otherwise. vLLM and SGLang keep the keys and values of common beginnings, a
# long system prompt for instance, and give that memory back when it is needed for something else.
# There an abort ends the request, and part of its memory stays in use on purpose. What has to be
# given back at once is the request's *claim* to it.
#
# ### A server that looks too late
#
# Many servers look for their client each time they have a token to send. The same gate, on a
# scripted model with 50 ms a pass: this chapter's server, and one of those. The pass is held for
# 0.5 s after stop. *Guess:* how soon does each notice?

# %%
for wrong in [None, "looks_when_a_token_comes"]:
    with serve(5, gated=True, pace=20, wrong=wrong) as server:
        tried = press_stop(server, for_tokens(60), before=0.1, after=0.5)
    late = [e for e in tried.events if e.kind == "decode" and e.time > tried.pressed]
    print(
        f"{server.whose}:\n   noticed {1000 * max(0, tried.asked - tried.pressed):.0f} ms after "
        f"stop; passes begun since then: {len(late)}"
    )

# %% [markdown]
# The second one notices only when the held pass has given its token, and by then the worker may
# have begun the next. Before the first token of a long prompt, or in a long queue, that can be
# minutes.
#
# ## Late replies, and who wins
#
# When the real model's held pass ended, it gave a token, and the worker posted a reply. Its
# request had been forgotten by then. *Guess:* what became of the reply?

# %%
print(f"after the run on the real model: {stats}")

# %% [markdown]
# It is the one in `discarded`. A late reply is no fault. It was under way when the abort was sent;
# its id found no owner, so it was dropped and counted. Chapter 2's registry has done that from the
# beginning. What would be a fault is to let it raise: the listener is everybody's.
#
# Which raises the question who wins when both happen at nearly the same time. Two clients ask for
# 2 tokens. The first leaves during the second and last pass; the other reads its answer to the end
# and leaves then.
#
# *Before you run it:* for which of them is an abort asked?

# %%
with serve(5, gated=True) as server:
    server.allow(1)
    with asked(server, for_tokens(2)):
        server.watch.wait_for("decode")  # the last pass, held
    server.watch.wait_for("abort asked")
    server.open()
    server.watch.wait_for("discarded")
    with asked(server, for_tokens(2)) as stays:
        answer = b"".join(read.data for read in reads_of(stays))
    look("afterwards")

kinds = ("token", "abort asked", "delivered", "discarded", "finished")
for name, lane in zip(("left", "stayed"), lanes(server.watch).values(), strict=True):
    print(f"{name:7} {happened(lane, kinds)}")

# %% [markdown]
# For the first, although its answer was then computed to the end: the leaving came first. Its last
# reply was late, and was discarded. (`aborted` stays 0: when the `Abort` was taken out of the
# inbox, the request had just ended, and the worker had nothing left to drop.) The second had its
# last reply before it closed, so there was nothing to abort.
#
# **The first ending wins**, and there is only one. It is decided in one place, on the event loop,
# between two `await`s, so no lock is needed. Task 5.1 is that rule:

# %%
own = layer(5)
one = own.life.Life()
one.on_end(partial(print, "clean-up after:"))
print("aborted: ", one.end("aborted"))
print("finished:", one.end("finished"))
print(f"it ended {one.ending}   ({own.whose})")

# %% [markdown]
# Whoever comes second is told so, changes nothing and cleans nothing up again.
#
# ## The exercise
#
# The [lab sheet](../chapters/ch05_cancellation/README.md) has what you need beside this notebook.
# The files are in `chapters/ch05_cancellation/`.
#
# | Task | File | You write | See above |
# |---|---|---|---|
# | 5.1 | `life.py` | `Life` | *Late replies, and who wins* |
# | 5.2 | `disconnect.py` | `CancelOnDisconnect` | *How a client's leaving is told* |
# | 5.3 | `aborts.py` | `AbortableTurns` | *One abort, whatever the request was doing* |
# | 5.4 | `cleanup.py` | `LiveMailbox`, `AbortingBackend` | *How Python stops a task* |
# | 5.5 | `harden.py` | `violations` | all of it |

# %%
check(5)

# %% [markdown]
# As soon as a task passes, the cells above run on your file; the captions say so.
#
# ## Quiz
#
# Answer before you unfold.
#
# **1.** The HTTP connection is closed. Why may generation go on?
#
# <details><summary>Answer</summary>
#
# The closing is known to the API server's side of the socket, and to nobody else. The worker
# computes what is in its table until a message says otherwise. Somebody has to listen to
# `receive`, and somebody has to send that message.
#
# </details>
#
# **2.** Why is cancelling not instantaneous? Name what has to happen between the click and the
# freed memory.
#
# <details><summary>Answer</summary>
#
# The connection closes; the API server notices; an `Abort` is put into the inbox; the forward pass
# under way ends, since it cannot be undone; the worker looks into the inbox and drops the request;
# its cache is freed. The largest part is the rest of the pass.
#
# </details>
#
# **3.** A colleague calls `release` when the answer has been sent, and in `except Exception`. Which
# requests leak?
#
# <details><summary>Answer</summary>
#
# Those that are cancelled: every client that leaves. `CancelledError` is no `Exception`. `finally`
# sees it.
#
# </details>
#
# **4.** Why is the abort sent first, and the request forgotten afterwards?
#
# <details><summary>Answer</summary>
#
# Whoever sends the abort has to know the request, its id and whether it has ended. If it has been
# forgotten, there is nothing to look up, the abort is skipped, and the worker goes on, as in one of
# the broken servers above.
#
# </details>
#
# **5.** After an abort, a reply of that request arrives. What is done, and why is it counted?
#
# <details><summary>Answer</summary>
#
# It finds no owner and is dropped. Counting it costs nothing and tells an operator how much was
# computed for nobody. One or two for each client that left are expected; a number that goes on
# rising says that some abort never took effect.
#
# </details>
#
# **6.** A client without `stream` leaves. Is that another way through the server?
#
# <details><summary>Answer</summary>
#
# It should not be. The layer around the handler listens beside whatever the handler does, so both
# kinds are cancelled by the same lines. Frameworks often watch only streams, because they notice
# at a write.
#
# </details>
#
# **7.** After the abort, a server's GPU memory does not fall. Is something leaking?
#
# <details><summary>Answer</summary>
#
# Not necessarily. A server that caches prefixes keeps the memory and lends it out again, and
# PyTorch itself keeps freed blocks for later tensors. What must go down is what the request
# claims: its entry, its tokens in the count of running requests.
#
# </details>
#
# ## Closing exercise
#
# Write half a page before you unfold: *A user presses stop. Which parts does the cancellation
# pass, why does it not take effect at once, and what has to be cleaned up in each place? How would
# you prove that nothing is left behind?*
#
# <details><summary>A model answer</summary>
#
# The browser closes the connection. The API server learns it through `receive`, if somebody
# listens there beside the work, and cancels the task of this request. The task's `finally` calls
# `release`: the request's life ends "aborted", unless it had ended already, an `Abort` with its id
# is put into the worker's inbox, and then its mailbox is forgotten. All of that awaits nothing, so
# no second cancellation can interrupt it. Between two turns the worker finds the `Abort`, takes
# the request out of its table, or out of the messages that were waiting, and closes its
# generation, which frees the KV cache and the decoding state.
#
# It does not take effect at once, because a forward pass cannot be undone, and the worker looks
# into its inbox only between passes. What the pass still gives is a late reply: without an owner
# it is dropped and counted.
#
# To be cleaned up: the mailbox with unread replies, the message in the inbox, the entry and the
# decoding state in the worker, the KV cache in the core; each once, whether the end is completion,
# failure or abort. Where memory is kept for other requests on purpose, the claim is what ends.
#
# To prove it, record what happens to each request. After every client has left and the worker is
# idle: each was opened and closed once and ended in one way; at most one pass began after its
# abort; its cache was freed once, and no pass came afterwards; all counters of `/stats` that count
# the present are back at zero. Run that with clients that leave in the queue, in the prefill,
# between tokens and in the last pass, streaming and not.
#
# </details>
#
# ## What is still wrong
#
# A client that stays and does not read. Its tab is in the background, or its network has stalled.
# It has not left, so nothing in this chapter applies.
#
# It asks for 3,000 tokens, and reads not one byte until all of them have been computed. Then it
# reads everything. The buffers of its connection are made small here, so that the picture does not
# have to be megabytes high.
#
# *Before you run it:* how does the number of bytes that somebody has to keep for it change over
# time? Does the model slow down?

# %%
with serve(5, pace=1500, send_buffer=4096) as server:
    pile, unread = stay_without_reading(server, 3000, buffer=4096)

show(
    piled_up(pile, "For a client that does not read, the pile only grows", server.whose),
    alt="Bytes over time. The computed line rises steadily. The line of what the connection has "
    "taken rises with it for a moment and then stays level; the gap between them grows until the "
    "client begins to read. The read line is zero until then.",
)
in_server, in_connection = pile.most()
print(
    f"waiting in the connection's buffers: {in_connection / 1000:.0f} kB, in the server: "
    f"{in_server / 1000:.0f} kB"
)
print(f"{unread['tokens']} tokens computed, none read, {unread['aborted']} aborted")

# %% [markdown]
# The figure counts what is certain: the bytes of each event, from the moment its reply reached the
# API server until the client read them. Somebody has to keep them in between.
#
# The connection knew its limit. Its buffers took some kilobytes, and then `send` did not return
# any more: the dashed line is level. That is **backpressure**, and it ended at `send`. Nobody told
# the worker, which went on: the solid line rises to the end. What it computed piled up in the
# request's mailbox, which has no limit, until `max_tokens` was reached. With more readers of this
# kind the pile is higher by as many times.
#
# *What piles up when a client reads slowly, and where?*
#
# <details><summary>Answer</summary>
#
# Results that have been computed and not been read. First in the buffers of the connection, on
# both sides of the network, which are bounded; then in the server's memory, as replies in the
# request's mailbox, which is not. Beside it the request keeps its mailbox, and while it is
# computed its KV cache. Nobody is told to stop, since nobody has left.
#
# </details>
#
# How much may wait there, who says so, and what is done with a reader who is too slow? That is
# chapter 6.
