# %% [markdown]
# # Chapter 3: concurrent queues
#
# > Ten people press Enter in the same second. One wants an essay, nine want a line. Who waits for
# > whom, and why should anybody wait for the essay?
#
# Chapter 2's server knows whose reply is whose, and still serves one request at a time: it computes
# on the event loop, and a loop that computes does nothing else. In this chapter the model moves
# into a thread of its own. You will see what that thread and the loop say to each other, what can
# go wrong on the way, and, with three counters, what has been gained and what has not.
#
# About 60 minutes. Threads, the event loop and the table of who may touch what are in
# [waiting](ch00b_waiting.ipynb); request ids are in [chapter 2](ch02_request_ids.ipynb).

# %%
import asyncio
import threading
from functools import partial
from time import perf_counter, process_time

from start import *

from chapters.ch03_queues.worker import Worker
from chapters.core import GenerationRequest, Reply, Sampling, ScriptedCore
from chapters.lessons.batching import Batch
from chapters.lessons.crossing import carried_after
from chapters.lessons.orders import ends, long_then_short, two_orders
from chapters.lessons.own import layer
from chapters.lessons.parallel import recorded, seconds, side_by_side, started, table
from chapters.lessons.patience import within
from chapters.lessons.sides import compare, lines
from chapters.lessons.tape import replies, said

# %% [markdown]
# ## One long question in front
#
# A wants 60 tokens, at 20 ms each. As soon as A is being computed, B asks for 5 tokens, and
# somebody asks for `/health`. Alone, B would need 0.1 s. We ask chapter 1's server, and then this
# chapter's.
#
# **Write down a guess** for this chapter's server. It has one model, as before, and does not
# stream: an answer leaves when it is complete.

# %%
my_guess = "B after … s, /health after … s, A after … s"


# %%
def long_and_short(server):
    def once_a_is_computed(call):
        server.watch.wait_for("prefill")
        return call()

    answers = together(
        [
            lambda: ask(server, "A", max_tokens=60, ignore_eos=True),
            lambda: once_a_is_computed(lambda: ask(server, "B", max_tokens=5)),
            lambda: once_a_is_computed(lambda: ask(server, path="/health")),
        ]
    )
    server.watch.wait_for("finished", 3)
    return answers


seen = {}
for chapter in (1, 3):
    with serve(chapter, pace=50) as server:
        seen[chapter] = long_and_short(server), list(server.watch), server.whose
    a, b, health = seen[chapter][0]
    print(f"chapter {chapter}: A after {a.took:.2f} s, B after {b.took:.2f} s,", end=" ")
    print(f"/health after {1000 * health.took:.0f} ms")

# %%
told = {
    1: ("Chapter 1: the loop computes", "B and /health wait until A ends; the loop is blocked."),
    3: ("Chapter 3: the loop waits, a worker computes", "B ends early; the loop is never blocked."),
}
for chapter, (answers, events, whose) in seen.items():
    title, alt = told[chapter]
    rows = ["A", "B", "/health"]
    show(timeline(events, title, whose, rows, asked=answers, loop=True), alt=alt)

# %% [markdown]
# In the first picture the loop is blocked as long as anything is computed, and `/health` waits as
# B does. In the second the loop's row is empty: it is never blocked, and `/health` is answered at
# once. B takes turns with A, a forward pass for the one, then a pass for the other. So B's five
# tokens cost about ten passes, and B is done long before A.
#
# A pays for it with a few passes. The next cell says how much, and when the first byte of A's
# answer came.

# %%
(a1, b1, _), (a3, b3, _) = seen[1][0], seen[3][0]
print(f"B: {b1.took / b3.took:.0f} times as fast as in chapter 1")
print(f"A: {a3.took / a1.took:.2f} times as long as in chapter 1")
print(f"A's first byte came after {a3.first:.2f} s, its last after {a3.took:.2f} s")

# %% [markdown]
# A's answer came in one piece at the end: this server does not stream. And still it held up
# nobody. **Not streaming and blocking are two things.** Whether others can go on depends on who
# computes and who waits, and not on whether a client gets its text bit by bit.

# %% [markdown]
# ## The way there and back
#
# ```
#          the event loop's thread                            │  the worker's thread
# client ─▶ Handler ─▶ WaitingAnswer ─▶ Backend.open ── send ─┼─▶ inbox ─▶ Turns.receive
#                        3.4              3.4                 │              3.1
# client ◀── JSON ◀── Mailbox.take ◀─ registry ◀─ Listener ◀──┼── Bridge ◀─ Turns.turn ◀─▶ core
#                        3.3                        3.3       │    3.2        3.1
# ```
#
# The numbers are the tasks. Two threads meet at two points: a message goes into the **inbox**, a
# list of replies comes over the **bridge**. Everything else belongs to one side. `Turns` decides
# which request computes next. The `Listener` finds each reply's owner in the registry. The owner is
# a `Mailbox`: chapter 2's state, and it can be waited for. The `Backend` sends requests off.
#
# When is B accepted: when A has ended, when A's next token is there, or at once? The next cell
# holds A's first forward pass open: a *gated* core begins a pass and waits in it for a permit.
# Meanwhile B asks.
#
# **Guess** which of these lines the trace shows for B while A's pass is held: `received` (the loop
# has read the request), `submitted` (it is in the inbox), `admitted` (the worker has taken it out),
# `prefill` (its first pass begins).

# %%
held, stats = [], {}  # what is seen while A's pass is held
with serve(3, gated=True) as server:

    def observe():
        server.watch.wait_for("submitted", 2)
        held.extend(server.watch)
        stats.update(ask(server, path="/stats").json)
        server.open()  # a permit for every pass from now on

    def second():
        server.watch.wait_for("prefill")
        return ask(server, "B", max_tokens=1)

    a, b, _ = together([lambda: ask(server, "A", max_tokens=2), second, observe])
    server.watch.wait_for("finished", 3)
    events = list(server.watch)
# before a request has a uid, its events carry a lane, which stands for the HTTP request
names = {answer.json["id"].partition("-")[2]: name for answer, name in ((a, "A"), (b, "B"))}
names |= {event.lane: names[event.uid] for event in events if event.kind == "submitted"}
print(lines(held, names))
print({name: stats[name] for name in ("open", "running", "waiting")}, f"({server.whose})")

# %% [markdown]
# B was received, tokenised and submitted while A was in the middle of a pass. Accepting is the
# loop's work, and the loop was free. `admitted` is missing: the worker looks into its inbox
# between two turns, and it was inside one. So B is **accepted before A ends**, and *computed* when
# the worker gets round to it. In `/stats` both are `open`, A is `running`, and B's message is
# `waiting`.
#
# That is why the two sides are kept apart. The side of the network must always be ready, and each
# of its steps is short. The side of the model has steps that are long, and nobody can make them
# shorter. Neither should have to know how the other does its work.
#
# ### Whose line is it?
#
# Here is the rest of the same trace, for B alone.

# %%
of_b = [e for e in events if names.get(e.uid) == "B" or names.get(e.lane) == "B"]
print(lines(of_b, names))

# %% [markdown]
# A request passes seven stages: client → API server → tokenizer → scheduler → engine →
# detokenizer → API server and client. These are responsibilities; several may live in one process
# and in one thread.
#
# **Label the lines:** replace the question marks. The stage is `"API server"`, `"scheduler"` or
# `"engine"`; the thread is `"loop"` or `"worker"`. Then run the cell again. Which stages have left
# no line, and between which two lines must they have been at work?

# %%
my_labels = {
    "received": ("?", "?"),
    "submitted": ("?", "?"),
    "admitted": ("?", "?"),
    "prefill": ("?", "?"),
    "token": ("?", "?"),
    "kv freed": ("?", "?"),
    "delivered": ("?", "?"),
    "answered": ("?", "?"),
    "finished": ("?", "?"),
}
compare(my_labels)

# %% [markdown]
# <details><summary>The labels, and the stages without a line</summary>
#
# | Line | Stage | Thread |
# |---|---|---|
# | `received`, `submitted` | API server | loop |
# | `admitted` | scheduler: `Turns` takes the request up | worker |
# | `prefill`, `token`, `kv freed` | engine: the core | worker |
# | `delivered` | API server: the listener has found the owner | loop |
# | `answered`, `finished` | API server | loop |
#
# The client was at work before `received` and is again after `finished`. The tokenizer worked
# between `received` and `submitted` (in a thread of its own, so that a long prompt does not hold
# up the loop). The detokenizer turns ids into text between `token` and `delivered`, in the worker.
# The trace knows nothing of these three, because nobody records there.
#
# </details>
#
# Between `token` and `finished` there are steps. So a produced token does not mean that the client
# has something to show. Here its text has to wait for the end of the whole answer.

# %% [markdown]
# ## One door between two threads
#
# Is it true that two threads are at work? We put the worker, `Turns` and `Bridge` together by hand,
# in this notebook, and let each end say in which thread it runs. Two requests of two tokens each
# are in the inbox before the worker begins.
#
# **Guess** how often `post` is called: once for each reply, or once for each turn?

# %%
ch3 = layer(3)
core, loop, done = ScriptedCore(), asyncio.get_running_loop(), asyncio.Event()
worker, calls = Worker(ch3.turns.Turns(core)), []


def note(what, turn):
    calls.append(f"{what} in {threading.current_thread().name}: {len(turn)} replies")


def post(turn):
    note("post", turn)
    bridge.post(turn)


def deliver(turn):
    note("  deliver", turn)
    if any(reply.last for reply in turn):
        done.set()


bridge = ch3.bridge.Bridge(loop, deliver)
for name in "AB":
    worker.put(GenerationRequest(name, core.encode(name), Sampling(max_tokens=2)))
worker.start(post, print)  # `print` would be called if the worker died
await asyncio.wait_for(done.wait(), 5)
worker.stop()
print("\n".join(calls), f"\n({ch3.whose})")

# %% [markdown]
# `post` runs in the worker, `deliver` in the thread of the loop, and what crosses is a list: all
# replies of one turn, with one wake-up. With a wake-up for each reply, ten requests would wake the
# loop ten times in a turn. The price: a reply waits until its turn is over.
#
# A loop with nothing to do sleeps, and must be woken ([waiting](ch00b_waiting.ipynb), *A door for
# other threads*). Three tries: the chapter's bridge; one that calls `loop.call_soon` from the
# worker's thread; and that one again, with the loop in debug mode. The reply is posted after 0.1 s;
# a timer rings at 1 s.
#
# **Guess** after how many seconds the reply arrives.


# %%
class NoDoor(ch3.bridge.Bridge):
    def post(self, replies):
        self.loop.call_soon(self.deliver, replies)  # no call_soon_threadsafe


print(f"Bridge:               {carried_after(ch3.bridge.Bridge):.4f} s")
print(f"NoDoor:               {carried_after(NoDoor):.4f} s")
print(f"NoDoor in debug mode: {carried_after(NoDoor, debug=True):.4f} s")

# %% [markdown]
# `call_soon` woke nobody, and the reply lay there until our timer rang. Without a timer it would
# lie there for ever. In debug mode asyncio looks who is calling, and refuses: nothing arrived at
# all (`inf`), but somebody was told. The checks of Task 3.2 run in debug mode.

# %% [markdown]
# ## A store and a way to wake
#
# The replies have arrived on the loop. One task waits for them, in `Mailbox.take`. What does a
# mailbox need?
#
# **First attempt: a store alone.** Whoever waits looks again and again. The pause between two looks
# is ours to choose. A reply comes after a third of a second. **Guess** for each pause: how late is
# the reply taken, and what did waiting cost?


# %%
class Shelf:
    def __init__(self, pause):
        self.pause, self.replies, self.looks = pause, [], 0

    def apply(self, reply):
        self.replies.append(reply)

    async def take(self):
        while not self.replies:
            self.looks += 1
            await asyncio.sleep(self.pause)
        return self.replies


async def wait_for_one(box):
    """How late the reply is taken, and for how long the processor worked meanwhile."""
    came, before = [], process_time()

    def arrive():
        came.append(perf_counter())
        box.apply(Reply("A", "A1", 1, "stop"))

    asyncio.get_running_loop().call_later(1 / 3, arrive)
    await box.take()
    return perf_counter() - came[0], process_time() - before


# %%
for pause in (0, 0.005, 0.2):
    shelf = Shelf(pause)
    late, cost = await wait_for_one(shelf)
    print(f"looks every {1000 * pause:3.0f} ms: {shelf.looks:6} looks,", end=" ")
    print(f"{1000 * cost:5.1f} ms of computing, taken {1000 * late:5.1f} ms late")
late, cost = await wait_for_one(ch3.mailbox.Mailbox("A"))
print(f"woken (Mailbox):           1 look,  {1000 * cost:5.1f} ms of computing,", end=" ")
print(f"taken {1000 * late:5.1f} ms late ({ch3.whose})")

# %% [markdown]
# Looking without a pause takes all the processor it can get: time that the worker's thread would
# have needed. With a long pause the reply lies there unseen. In between both are small, for
# *one* who waits: a thousand requests that look every 5 ms look 200,000 times a second.
#
# **Second attempt: a wake-up alone.** `asyncio.Event` wakes whoever waits. It carries nothing, so
# the newest reply is put beside it. Three replies of one request come before its task gets to run,
# as happens whenever the loop is busy for a moment. **Guess** what is taken.


# %%
class Bell:
    def __init__(self):
        self.rung, self.reply = asyncio.Event(), None

    def apply(self, reply):
        self.reply = reply
        self.rung.set()

    async def take(self):
        await self.rung.wait()
        self.rung.clear()
        return [self.reply]


class EagerBell(Bell):
    async def take(self):
        self.rung.clear()  # nothing can have come yet, can it?
        return await super().take()


# %%
boxes = {"Bell": Bell(), "EagerBell": EagerBell(), "Mailbox": ch3.mailbox.Mailbox("A")}
for name, box in boxes.items():
    for reply in replies("A", 3):
        box.apply(reply)
    try:
        print(f"{name:9} takes", said(await asyncio.wait_for(box.take(), 0.5)))
    except TimeoutError:
        print(f"{name:9} still waits after half a second")

# %% [markdown]
# An event that is set three times is set once. `Bell` has lost two thirds of the answer.
# `EagerBell` waits for ever, for a reply that came before it began to wait.
#
# So it takes both, and in this order: **store first, then wake; whoever wakes looks into the store,
# and takes all that is there.** Then no wake-up can be missed and none has to be counted. That is
# Task 3.3.
#
# **And to wait as a thread does?** This server has a store, and its handler, an `async def`, looks
# into it with `time.sleep` between two looks, for 0.2 s at most. A asks for three tokens, which
# take 0.06 s. **Guess** what A's client gets.

# %%
with serve(3, pace=50, wrong="blocks_in_the_handler") as server:
    answer = ask(server, "A", max_tokens=3, ignore_eos=True)
    server.watch.wait(lambda events: sum(e.kind in ("delivered", "discarded") for e in events) == 3)
print(f"status {answer.status} after {answer.took:.2f} s ({server.whose})")
skipped = ("decode", "written")
print(" → ".join(event.kind for event in server.watch if event.kind not in skipped))

# %% [markdown]
# The worker computed all three tokens in good time. Nobody could deliver them: the listener runs on
# the loop, and the loop stood in the handler's `sleep`, waiting for the listener. An `async def`
# around a call that blocks still blocks.

# %% [markdown]
# ## One who listens for all
#
# There is one bridge, so there is one listener: it takes each turn's replies and hands them to
# their mailboxes. Many wait, one listens, and what serves all can fail all. Chapter 2's strict pump
# showed it: one client had left, and nobody behind it was served. So the listener drops a late
# reply, as `pump` did. An exception out of a mailbox it logs, and goes on with the next reply.

# %% [markdown]
# ## Every waiter ends
#
# A mailbox is waited for without a time limit: an answer may take minutes, and that is no error.
# So **somebody has to say that it is over, whatever goes wrong**. In the next servers the core has
# a script: in A's third forward pass it raises, as a real one does when memory runs out. B asks
# beside A.
#
# **Guess** what A's client and B's client see. Then guess it for a server whose handler waits for a
# finish reason, which a failed request never gets.

# %%
script = {"A": ["one", " two", RuntimeError("out of memory")], "B": ["all", " is", " well"]}


def seen_by(answer):
    if answer is None:
        return "nothing, after a second"
    error = answer.json.get("error")
    return f"{answer.status} {error['message'] if error else answer.text!r}"


for wrong in (None, "waits_for_a_finish_reason"):
    with serve(3, script=script, wrong=wrong) as server:
        a, b = within(1, lambda: ask(server, "A"), lambda: ask(server, "B"))
        print(f"{server.whose}:\n   A sees {seen_by(a)}; B sees {seen_by(b)}")

# %% [markdown]
# A's failure is A's own: `Turns` makes a last reply of what was raised, with an error in it, and
# that reply ends A's waiting like any other. B does not notice. The second server looks for
# something that only good answers have, and so its client waits.
#
# And if nobody is left to send a last reply? A failed step must not end the worker; a fault in
# `Turns` itself would. The next server has one: it lets the exception of a step out. A, B and C are
# all waiting when A's third pass fails.
#
# **Guess:** what becomes of B and C? What does `/health` say afterwards? And what does D get, who
# comes later?

# %%
with serve(3, script=script, gated=True, wrong="one_failure_ends_all") as server:

    def let_them_run():
        server.watch.wait_for("submitted", 3)
        server.open()

    waiting = [partial(ask, server, name) for name in "ABC"]
    a, b, c, _ = together([*waiting, let_them_run])
    health, late = ask(server, path="/health"), ask(server, "D")
for name, answer in {"A": a, "B": b, "C": c, "D": late}.items():
    print(name, "sees", seen_by(answer))
print("/health", health.status, health.json["status"])

# %% [markdown]
# The thread is gone, and it will not come back. `Backend.died` is called, on the loop, and puts a
# last reply into every mailbox that is still waited for: its client gets 500 instead of silence.
# `/health` says 503, so whoever watches over the server starts another. D is refused at once. A
# server that goes on saying 200 here is worse than one that is down: it keeps being given requests.
# (vLLM, issues 36451 and 39863.)

# %% [markdown]
# ## Concurrency, parallelism, batching
#
# Three words that are often one in conversation. Three counters tell them apart, and they stand
# below every time-line of this course:
#
# **requests unfinished at once / forward passes at one instant / rows in a pass**
#
# Four runs, with the real model and 40 tokens to compute in each. (PyTorch computes with one thread
# in each process. By itself it takes as many as there are cores, and two processes would then want
# twice as many cores as there are.)
#
# 1. chapter 1's server, ten callers, 4 tokens each
# 2. this chapter's server, the same ten callers
# 3. both servers at once, two processes: one caller each, 20 tokens each
# 4. no server and no HTTP: the ten prompts as one batch, 4 tokens each
#
# **Write down a guess:** the three counters of each run, and which of the four is fastest.

# %%
my_guess = {"1": "?/?/?", "2": "?/?/?", "3": "?/?/?", "4": "?/?/?", "fastest": "?"}

# %%
PLACES = ["France", "Spain", "Italy", "Japan", "China", "Egypt", "India", "Peru", "Kenya", "Greece"]
prompts = [f"The capital of {place} is" for place in PLACES]


def call(server, prompt, tokens):
    return partial(ask, server, prompt, max_tokens=tokens, ignore_eos=True)


real, runs = partial(serve, model=None, threads=1), {}
with started(partial(real, 1), partial(real, 3), Batch) as (one, three, batch):
    together([call(one, "Hi", 2), call(three, "Hi", 2), lambda: batch.run(["Hi"], 2)])  # warm up
    one_by_one, runs["1 chapter 1"] = recorded((one, [call(one, p, 4) for p in prompts]))
    in_turns, runs["2 taking turns"] = recorded((three, [call(three, p, 4) for p in prompts]))
    visits = [(server, [call(server, prompts[0], 20)]) for server in (one, three)]
    _, runs["3 two processes"] = recorded(*visits)
    in_a_batch = batch.run(prompts, 4)
    runs["4 one batch, no HTTP"] = batch.events
    whose = f"{one.whose}; {three.whose}; {one.model_name} {batch.placed}, one thread each"

# %%
show(
    side_by_side(runs, "Forty tokens, computed in four ways", whose),
    alt="Four panels: a staircase; ten rows of spaced passes; two full rows; four tall passes.",
)
print(table(runs, tokens=40))

# %% [markdown]
# Read the counters first. (The seconds scatter when the machine has other work to do. The counters
# and the number of passes do not.)
#
# - **1/1/1.** The next request is not even received before the last one has ended.
# - **10/1/1.** Ten are accepted and none has ended: that is **concurrency**. Still there is one
#   pass at any instant, for one request. Nothing is computed sooner: the last of the ten ends about
#   when it did in chapter 1. Ten accepted are not ten computed together.
# - **2/2/1.** Two passes at the same instant, on two cores: that is **parallelism**. It took two
#   processes and two copies of the weights. How much faster it is depends on whether the machine
#   had two cores to spare; on a GPU, both would share one device.
# - **10/1/10.** One pass at any instant, and it has ten rows: that is **batching**. Four passes
#   did what took forty. There was no HTTP in it at all: a batch is a matter of the model, and
#   needs no server.
#
# Why is a batch so cheap? The next cell compares a pass over one row with a pass over ten.

# %%
single = seconds(runs["1 chapter 1"]) / 40
ten = seconds(runs["4 one batch, no HTTP"]) / 4
print(f"a pass over one row: {1000 * single:.0f} ms; over ten rows: {1000 * ten:.0f} ms")
print(f"ten times the work in {ten / single:.1f} times the time")
same = [one.text for one in one_by_one] == [one.text for one in in_turns]
print(f"the ten texts of runs 1 and 2 are the same: {same}")
print("in the batch:", prompts[0] + in_a_batch[0].partition("\n")[0])

# %% [markdown]
# (Less than 1.0 times would mean that other programs have slowed down run 1.)
#
# A pass brings all the weights from memory to the processor, for one row as for ten. Ten rows use
# each weight ten times while it is there. This chapter's `Turns` gives each request a pass of its
# own. (To batch requests that come and go needs a larger scheduler, and no change to the HTTP
# side.)
#
# The ten texts are the same whether a request was alone or had nine beside it. That is isolation:
# sharing the worker has changed *when* a token is computed, and not *which*.

# %% [markdown]
# ## What taking turns costs
#
# Turns do not compute faster, they only choose an order. Is it a good order? Compare it with
# **first come, first served**, in a server that is otherwise the same: its worker computes the
# oldest request to its end.
#
# **Write down a guess** for each: ten requests of 20 tokens come at once. And then one of 100
# tokens and, just behind it, one of 5. In which order do they end sooner *on average*?

# %%
my_guess = {"ten of 20": "turns or first come?", "100 and 5": "turns or first come?"}

# %%
sets = {"ten of 20 tokens": [20] * 10, "100 tokens, then 5": [100, 5]}
measured = {name: {} for name in sets}
for order, wrong in (("first come", "first_come_first_served"), ("turns", None)):
    with serve(3, gated=True, pace=250, wrong=wrong) as server:
        for name, lengths in sets.items():
            measured[name][order] = ends(server, lengths)
title = "Turns are worse for ten equals, and better for the short one behind the long one"
show(
    two_orders(measured, title, f"turns: {server.whose}; first come: wrong on purpose"),
    alt="Ten equal: a staircase against ten ends near the end. Long and short: the short is early.",
)

# %%
for name, orders in measured.items():
    first, turns = (sum(times) / len(times) for times in orders.values())
    print(f"{name:18}  turns end {turns / first:.2f} times as late on average as first come")
short = {order: times[1] for order, times in measured["100 tokens, then 5"].items()}
print(f"the 5 tokens end after {short['first come']:.2f} s, in turns after {short['turns']:.2f} s")

# %% [markdown]
# For ten equal requests turns are the *worse* order. First come, first served makes somebody happy
# after every tenth of the time. In turns all ten are nearly done for a long while, and end
# together, when the last one would have ended anyway.
#
# For a long and a short one it is the other way round. The short one ends after about ten passes
# and not after 105. The long one loses five.
#
# A server cannot know beforehand who will be short: the model decides when to stop. Nobody who
# asks for a line should wait for all the essays before it. That is worth a worse average, and it
# leaves two wishes. If all must wait until near the end, they should at least *see* the words that
# are there: chapter 4. And the passes should be shared, in batches.

# %% [markdown]
# ## More replicas
#
# Another cure for waiting is often tried first: run chapter 1's server twice, and let a router send
# each request to one of them. **Guess** how long B, with 5 tokens, waits if each of the two has
# just begun a request of 60.

# %%
with started(partial(serve, 1, pace=50), partial(serve, 1, pace=50)) as replicas:
    answers = long_then_short(*replicas)
print(f"two of chapter 1: B after {answers[-1].took:.2f} s; ids", [a.json["id"] for a in answers])
with serve(3, pace=50) as server:
    answers = long_then_short(server)
ids = [answer.json["id"][:9] for answer in answers]
print(f"one of chapter 3: B after {answers[-1].took:.2f} s; ids begin with", ids)

# %% [markdown]
# With two replicas it takes two essays to block everybody, and not one. Each entry still serves one
# at a time, so B waits. And both have named their first request 1: to whoever sees the answers of
# both, two requests are one. More replicas give more computing. They do not replace keeping track
# of each request at every entry, and letting each wait without holding up the others.

# %% [markdown]
# ## The exercise
#
# The [lab sheet](../chapters/ch03_queues/README.md) has what you need beside this notebook. The
# files are in `chapters/ch03_queues/`.
#
# | Task | File | You write | See above |
# |---|---|---|---|
# | 3.1 | `turns.py` | `Turns` | *What taking turns costs* |
# | 3.2 | `bridge.py` | `Bridge.post` | *One door between two threads* |
# | 3.3 | `mailbox.py` | `Mailbox`, `Listener` | *A store and a way to wake* |
# | 3.4 | `backend.py` | `Backend`, `WaitingAnswer` | *Every waiter ends* |
# | 3.5 | `harden.py` | `violations` | *What taking turns costs*, *Every waiter ends* |

# %%
check(3)

# %% [markdown]
# As soon as a task passes, the cells above run on your file. Run them again and look at the
# captions.

# %% [markdown]
# ## Quiz
#
# **1.** Ten requests have been accepted and none has ended. Are ten being computed together? Which
# counter says so?
#
# <details><summary>Answer</summary>
#
# No. "Requests unfinished at once" is 10; "rows in a pass" says how many are computed together,
# and it is 1.
#
# </details>
#
# **2.** B was accepted before A had ended. Which part of the server decided who is computed next?
#
# <details><summary>Answer</summary>
#
# `Turns`, in the worker's thread: the scheduler. The HTTP side puts requests into an inbox and
# decides nothing.
#
# </details>
#
# **3.** Who turns a prompt into ids, and where?
#
# <details><summary>Answer</summary>
#
# The tokenizer, called by `Backend.open` before the request is submitted. It runs in a thread of a
# pool (`asyncio.to_thread`), since a long prompt takes long, and on the loop it would hold up
# everybody. Unlike the model it is nobody's shared state, so a pool does no harm.
#
# </details>
#
# **4.** A token has been computed. Has its client text to show?
#
# <details><summary>Answer</summary>
#
# Not yet. A token may be half a character, or the end mark, which is no text. And in this chapter
# the text is made when the answer is complete.
#
# </details>
#
# **5.** Does a request that does not stream block the others?
#
# <details><summary>Answer</summary>
#
# In chapters 1 and 2 yes, here no, and streaming has no part in it. What blocks is computing on the
# loop. A coroutine that waits for its mailbox holds up nobody.
#
# </details>
#
# **6.** Why is a store alone not enough, and why is a wake-up alone not enough?
#
# <details><summary>Answer</summary>
#
# A store alone has to be looked into, again and again: that costs the processor, or delays the
# reply. A wake-up alone carries nothing, counts nothing, and is lost if it comes too early.
#
# </details>
#
# The last two are about Task 3.4; the lab sheet has what you need (*Cancellation*).
#
# **7.** Somebody writes `except Exception: self.backend.release(mailbox); raise` in place of
# `finally`. Which clients cost memory for ever?
#
# <details><summary>Answer</summary>
#
# Those whose request is cancelled while it waits. `CancelledError` is no `Exception`, so their
# mailbox stays in the registry. So does that of every request that went well.
#
# </details>
#
# **8.** The worker dies while a prompt is being tokenised. Why is it not enough that `open` looked
# for a dead worker before that?
#
# <details><summary>Answer</summary>
#
# Between the look and the sending lies an `await`, and what was true before it need not be true
# after it. `died` has gone through the open requests already, and this one was not among them: it
# would wait for ever.
#
# </details>

# %% [markdown]
# ## Closing exercises
#
# **One.** In your own words: the stages of a request there and back, and why the network's side is
# kept apart from the model's computation.
#
# <details><summary>A model answer</summary>
#
# The client sends bytes. The API server reads them, checks the fields and makes a request of them;
# the tokenizer turns the text into ids. The request gets a uid, a mailbox is opened under it, and
# it goes into the worker's inbox. The scheduler takes it up between two turns and decides when it
# is computed. The engine makes a forward pass for each token and keeps the KV cache. The
# detokenizer turns ids back into text. The replies of each turn cross to the event loop together;
# the listener finds their owners by uid and wakes those who wait; the API server writes the answer,
# and the client reads it.
#
# The two sides have different habits. On the network's side there are many clients and short steps,
# and it must be ready at any moment: to take in the next request, to say that it is well, to notice
# who has left. On the model's side there is one owner of one costly resource, and its steps are
# long. If one thread does both, each step of the model is a time in which nobody is heard. So they
# run in two threads, or two processes, and exchange messages: values that do not change, in through
# an inbox and out through one door that wakes the loop. As neither knows how the other works, the
# order of computation can be changed, or many requests put into one pass, without a line of the
# HTTP side being touched.
#
# </details>
#
# **Two.** A colleague says: "Our server handles ten requests in parallel." Which three things may
# that mean, how would you find out which, and what does each cost?
#
# <details><summary>A model answer</summary>
#
# *HTTP concurrency*: ten requests have been received and none has been answered. One loop can do
# that alone. It costs a mailbox and a KV cache for each, and it computes nothing faster; it
# decides only who waits for whom. One counts requests unfinished at once.
#
# *Parallel computation*: several forward passes are under way at the same instant, on several cores
# or devices. It costs a processor and as a rule a copy of the weights for each. One counts forward
# passes at one instant.
#
# *Backend batching*: one forward pass computes a token for each of ten requests. It costs memory
# for ten KV caches, and hardly more time than a pass for one, since the weights are read once for
# all. One counts the rows of a pass. It has nothing to do with HTTP: ten lines of a file can be a
# batch.
#
# The three are independent. This chapter's server is 10/1/1, two servers with a caller each are
# 2/2/1, and a loop over a file of prompts may be 10/1/10.
#
# </details>

# %% [markdown]
# ## What is still wrong
#
# Look at A in the second figure of this notebook once more. Its first token was there after 20 ms.
# Its client read the first word more than a second later, with all the others. In turns, ten
# clients look at nothing until near the end, while their words lie in the server.
# [Chapter 4](ch04_streaming.ipynb) lets them out.
