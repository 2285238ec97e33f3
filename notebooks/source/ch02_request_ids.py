# %% [markdown]
# # Chapter 2: request ids
#
# > Two people ask the same model in the same second. Each gets an answer, and it is always their
# > own. The model computes now for the one and now for the other. How does the server know whose
# > words have just come out?
#
# Chapter 1 ended with a wish: one owner of the model, and a pipe to it, through which requests go
# in and replies come back. This notebook is about the way back. Four words first:
#
# - A **reply** is what one step of one request gave: a piece of text, and perhaps the news that it
#   was the last.
# - The **pipe** carries the replies of all requests, one behind the other.
# - A **tape** is what a pipe has carried, from first to last.
# - The **owner** of a reply is the request that was computed.
#
# About 40 minutes. You have read [chapter 1](ch01_a_bare_http_handler.ipynb), and
# [waiting](ch00b_waiting.ipynb) if `async def`, `await` and queues were new to you.

# %%
import asyncio
import json
import pickle
from dataclasses import replace
from functools import partial

from start import *

from chapters.core import embedded
from chapters.lessons.names import two_processes
from chapters.lessons.own import layer
from chapters.lessons.patience import within
from chapters.lessons.tape import all_tapes, handed_out, interleavings, replies, said

# %% [markdown]
# ## A tape of four replies
#
# A and B are being computed at the same time. Each needs two steps. The model takes a step for A,
# then two for B, then one more for A:

# %%
A, B = replies("A", count=2), replies("B", count=2)
tape = [A[0], B[0], B[1], A[1]]
for reply in tape:
    print(reply.text, "(the last of its request)" if reply.last else "")

# %% [markdown]
# ## "The next reply is mine"
#
# A first idea needs no names at all. Every request has a reader. The reader takes the next reply
# from the pipe, and the next, until it has a last one. Here is such a reader, and a pipe with two
# of them. `pipe.get()` waits until there is something to take; of two readers who wait, the one
# who has waited longer is served first.


# %%
async def read(pipe, mine):
    while not (mine and mine[-1].last):
        mine.append(await pipe.get())


async def play(tape, quick=True):
    pipe, given = asyncio.Queue(), {"A": [], "B": []}
    readers = [asyncio.create_task(read(pipe, mine)) for mine in given.values()]
    for reply in tape:
        if quick:
            await asyncio.sleep(0)  # the readers run first, and stand there waiting
        pipe.put_nowait(reply)
    await asyncio.gather(*readers)
    return given


# %% [markdown]
# **Write down a guess.** The tape is A1 B1 B2 A2, and A's reader is the first to wait. Who gets
# B1? And who gets it if the readers are slow, so that all four replies are there before either
# of them looks?

# %%
my_guess = "quick readers: …, slow readers: …"

# %%
quick, slow = await play(tape), await play(tape, quick=False)
ways = {"next reply, quick readers": quick, "next reply, slow readers": slow}
for name, given in ways.items():
    print(f"{name}: A has {said(given['A'])}, B has {said(given['B'])}")
show(
    handed_out(
        tape, ways, "Taking the next reply: each reads the other's", "the two readers above"
    ),
    alt="Quick readers: B2 goes to A and A2 to B. Slow readers: B1 and B2 go to A, A2 to B.",
)

# %% [markdown]
# With quick readers B1 reaches B, by luck: B's reader happened to be next in line. B2 then goes to
# A. With slow readers A's reader takes everything up to the first last reply, and that is B2.
#
# Look at what does *not* happen. Nothing is raised. Each reader ends, because each has seen a last
# reply. With quick readers the number of replies is right, too. The only ones who notice are two
# people, each of whom reads half of the other's answer.
#
# The pipe says *what* was computed. It does not say *for whom*.

# %% [markdown]
# ## A name that travels with the work
#
# So every request gets a name when it comes in, its **uid**. The uid is written into the work that
# goes to the model, and into every reply that comes back. The server keeps a dict from uid to
# owner. That is the **registry**. Its `open` makes a uid and an owner for it, `deliver` gives a
# reply to its owner, and `close` forgets the request.
#
# `layer(2)` brings the exercise files of this chapter: yours where they pass their checks, the
# reference's elsewhere. `use("mine")` or `use("reference")` would decide that for the whole
# notebook.

# %%
ch2 = layer(2)
print("these files are of", ch2.whose)

registry = ch2.registry.Registry()
a, b = registry.open(), registry.open()
A, B = replies("A", 2, uid=a.uid), replies("B", 2, uid=b.uid)
for reply in [A[0], B[0], B[1], A[1]]:
    print(f"{reply.text}, uid {reply.uid[:8]}…  delivered: {registry.deliver(reply)}")
print("A has", said(a.replies), "and B has", said(b.replies))

# %% [markdown]
# Two orders must be told apart. Between A and B there is no order to keep: nobody cares who of
# them comes first. Within A there is one: A1 stands before A2 in the text. The registry keeps it
# without any effort, since the pipe carries the replies of each request in order, and `deliver`
# appends them as they come.
#
# ### On a running server
#
# This chapter's own server computes one request at a time, so nothing is ever interleaved on it.
# Chapter 3's does interleave, so the next cell borrows it. Two clients ask for six tokens each. A
# `token` event in the trace says that a forward pass has ended, and carries the uid of the request
# that it was for. The uid is in the client's answer as well: it is the part of `id` behind the
# dash.
#
# **Guess** the order of the twelve tokens.

# %%
with serve(3, pace=100) as server:
    fields = {"max_tokens": 6, "ignore_eos": True}
    a, b = together([lambda w=w: ask(server, w, **fields) for w in ("apples", "lemons")])
owner = {answer.json["id"].partition("-")[2]: name for answer, name in ((a, "A"), (b, "B"))}
print("computed: ", " ".join(owner[event.uid] for event in server.watch.of("token")))
print("delivered:", " ".join(owner[event.uid] for event in server.watch.of("delivered")))
print("A reads", a.text, "and B reads", b.text, f"({server.whose})")

# %% [markdown]
# The tokens of the two are mixed, and neither client can tell. The same uid stands in the request
# as it goes to the worker, in the events of the model, in every reply, and in the answer's `id`.
# Wherever one of them did without it, the two would be one.

# %% [markdown]
# ## All seventy tapes
#
# Perhaps A1 B1 B2 A2 was an unlucky tape. Two requests of four replies each can be interleaved in
# 70 ways (choose four of eight places for A's). **Guess:** for how many of the 70 does "the next
# reply is mine" hand out everything right?

# %%
my_guess = "… of 70"

# %%
A, B = replies("A", 4), replies("B", 4)
tapes = interleavings(A, B)


def by_uid(tape):
    registry = ch2.registry.Registry()
    states = {name: registry.open() for name in "AB"}
    for reply in tape:  # here a reply's uid is "A" or "B"; give it the registry's
        registry.deliver(replace(reply, uid=states[reply.uid].uid))
    return {name: said(state.replies) for name, state in states.items()}


right = {
    "next reply, quick": [await play(tape) == {"A": A, "B": B} for tape in tapes],
    "next reply, slow": [await play(tape, quick=False) == {"A": A, "B": B} for tape in tapes],
    "by its uid": [by_uid(tape) == {"A": said(A), "B": said(B)} for tape in tapes],
}

# %%
for way, verdicts in right.items():
    lucky = said(tapes[verdicts.index(True)])
    print(f"{way:18} {sum(verdicts):2} of {len(tapes)} right, the first of them {lucky}")
title = "All 70 ways to mix four replies and four: without names, one is right"
show(
    all_tapes(tapes, right, title, ch2.whose),
    alt="Seventy columns of eight replies; below, one dot, one dot, and seventy for the uid.",
)

# %% [markdown]
# Without names one tape comes out right: the one on which the replies happen to come in the order
# in which the readers stand in line. For quick readers they alternate; for slow ones A's come
# first. A test that tries a single tape may have picked just that one.
#
# This is why Task 2.5 tries all 70. Your rule there must tell right owners from wrong ones on any
# tape.

# %% [markdown]
# ## What a request keeps for itself
#
# What the registry finds under a uid is the **state** of that request: the replies it was given so
# far, and whether it is finished. Its prompt and its parameters, `max_tokens`, temperature, seed,
# travel in a message of its own, lesson 0's `GenerationRequest`. Its KV cache belongs to it alone,
# too. The weights do not: they are the same for all, and only read.
#
# **Guess:** how many requests, of 100 tokens each, keep as much memory as the weights take?

# %%
config = json.loads((embedded.folder() / "config.json").read_text())
weights = sum(file.stat().st_size for file in embedded.folder().glob("*.safetensors"))
width = config["num_key_value_heads"] * config["head_dim"]
cache = 100 * 2 * config["num_hidden_layers"] * width * 2  # keys and values, two bytes each

state = ch2.state.RequestState("a uid of 32 characters, say")
for reply in replies("A", 100, uid=state.uid):
    state.apply(reply)
print(f"weights, once for all:     {weights:>12,} bytes")
print(f"KV cache of 100 tokens:    {cache:>12,} bytes for each request")
print(f"100 replies, written out:  {len(pickle.dumps(state)):>12,} bytes for each request")
print(f"as much as the weights:    {weights // cache} requests")

# %% [markdown]
# A model for each request would cost as much as a hundred requests do. A state for each costs
# next to nothing. So the weights are shared, and everything that differs is not.
#
# ### When the state is shared
#
# It takes one slip to share what should not be shared. This class makes its list where Python
# makes it once, for all objects:
#
# ```python
# class Mailbox:
#     store = []            # in the class: everybody's
# ```
#
# A server with that slip is among the wrong answers that the course keeps. A asks for 8 tokens, B
# for 6. The server is *gated*: nothing is computed before `server.open()`, so both are there when
# it begins. `within(1, …)` gives up a call that has no answer after a second.
#
# **Guess** what each of the two reads.

# %%
with serve(3, wrong="one_store_for_all", gated=True, pace=100) as server:

    def later():
        server.watch.wait_for("submitted")  # A is on its way to the model
        return ask(server, "bananas", max_tokens=6)

    def gate():
        server.watch.wait_for("submitted", 2)
        server.open()

    first, second, _ = within(1, lambda: ask(server, "apples", max_tokens=8), later, gate)
print("A asked for apples, 8 tokens, and reads", repr(first.text), first.json["usage"])
print("B asked for bananas, 6 tokens, and reads", second and second.text, "after a second")

# %% [markdown]
# A was answered with B's text, at status 200, and is told of more tokens than it had asked for: it
# took whatever lay in the common store, up to the first last reply, and that was B's. B was given
# nothing. It would wait for ever; the cell waited for a second. A real server has shipped a fault
# of this kind, where one request's words came out in another's answer (mlx-lm, issue 965).

# %% [markdown]
# ## A late reply
#
# A's client loses its patience after A1 and leaves. The server closes A. But the model is at work
# on A2 at this moment, and A2 will come.
#
# The next cell plays this. `pump` reads the pipe for everybody, and delivers each reply.
#
# **Guess:** is A2 an error? To whom should it go?

# %%
registry = ch2.registry.Registry()
a, b = registry.open(), registry.open()
A, B = replies("A", 2, uid=a.uid), replies("B", 2, uid=b.uid)


def client_of_a_leaves():  # a pipe; between A1 and A2 the server closes A
    yield A[0]
    registry.close(a.uid)
    yield from (A[1], B[0], B[1])


ch2.pump.pump(client_of_a_leaves(), registry)
lenient = {"A": a.replies, "B": b.replies}
print("A has", said(a.replies), "and B has", said(b.replies))
print("replies that found no owner:", registry.discarded)

# %% [markdown]
# Nothing is broken. A client may leave at any moment, so late replies are ordinary events. A2 is
# dropped, and it is counted: a fault that *loses* states would look just the same from here. A
# count that rises although nobody leaves tells the two apart.
#
# Here is a pump that is stricter, and takes a reply without an owner for a bug. **Guess** what B
# has in the end.


# %%
def strict_pump(pipe, registry):
    for reply in pipe:
        if not registry.deliver(reply):
            raise KeyError(f"nobody is waiting for {reply.text}")


registry = ch2.registry.Registry()
a, b = registry.open(), registry.open()
A, B = replies("A", 2, uid=a.uid), replies("B", 2, uid=b.uid)
try:
    strict_pump(client_of_a_leaves(), registry)
except KeyError as error:
    print("the pump has ended:", error)
ways = {"pump": lenient, "strict pump": {"A": a.replies, "B": b.replies}}
title = "One client leaves: A2 is late, and a strict pump fails everybody behind it"
show(
    handed_out([*A, *B], ways, title, f"registry and pump: {ch2.whose}"),
    alt="With pump, A2 goes to nobody, B1 and B2 to B; with strict pump, B1 and B2 go to nobody.",
)

# %% [markdown]
# B has nothing, and neither has anybody who comes later: one client's leaving has stopped the pump
# of all. A serving project shipped this, and its server hung for everybody (LitServe, issue 653).

# %% [markdown]
# ## A name that nobody else has
#
# How is a uid made? Counting is tempting: 1, 2, 3. Chapter 1 did that. Now let two servers run,
# as two processes that know nothing of each other. Each names a thousand requests.
#
# **Guess:** how many names have both of them given?

# %%
for kind in ("counting", "new_uid"):
    one, other = two_processes(kind)
    print(f"{kind:8}  the seventh is {one[6]:32}  given by both: {len({*one} & {*other})} of 1000")

# %% [markdown]
# Two counters give the same names, every one. It does not need two machines: a server that was
# started again counts from 1 again. As soon as the replies of two processes meet, behind a router
# or in a common log, a 7 is two requests.
#
# What two processes share without speaking to each other is chance. `uuid.uuid4()` takes 122
# random bits from the operating system, anew in every call. No two of them have ever to be
# compared.

# %% [markdown]
# ## The client's own name
#
# A client may have a name for its request, too. It sends it in the header `X-Request-Id`, and the
# server sends the header back. So a client that keeps a log can find its request in the server's.
#
# **Guess** what comes back for each of these four: a name; no name; a name of 129 characters; a
# name with a tab in it.

# %%
body = {"prompt": "Once", "max_tokens": 4}
given = {"a name": "mine", "none": None, "129 characters": "x" * 129, "a tab": "my\tname"}
with serve(2) as server:
    for kind, name in given.items():
        headers = {"x_request_id": name} if name else {}
        answer = raw(server, request_bytes(body, **headers))
        back = next(line for line in answer.head.splitlines() if line.startswith("x-request-id"))
        print(f"{kind:15} status {answer.status}  {back}")
        print(f"{'':15} id: {answer.json.get('id', '(none: it is an error)')}\n")

# %% [markdown]
# A name is echoed as it came. Where there is none, the server makes one, so every response has
# one. A name that is too long, or that has anything but printable characters in it, is refused
# with 400: a line break in a name would let a client write lines of its own into the log.
#
# Look at the first answer: two names. `id` is made from the uid, which is ours. `x-request-id` is
# the client's. They must not be mixed up, and the next two cells show why.
#
# Nothing keeps two clients from choosing the same name. **Guess** what ids the two answers have,
# in a right server and in one that takes the client's name for its own key.

# %%
request = request_bytes(body, x_request_id="1")
for wrong in (None, "client_id_is_the_uid"):
    with serve(2, wrong=wrong) as server:
        both = together([partial(raw, server, request)] * 2)
    print(f"{server.whose}:\n   ids", " and ".join(answer.json["id"] for answer in both))

# %% [markdown]
# Both clients got their right text, even from the second server, because chapter 2's server
# computes one request at a time. The harm comes with the first server that mixes. The tape shows
# it: two requests, both opened under the name 1, and the four replies.

# %%
registry = ch2.registry.Registry()


def open_as(name):
    registry.live[name] = ch2.state.RequestState(name)  # `live` is the dict: uid → state
    return registry.live[name]


a, b = open_as("1"), open_as("1")
A, B = replies("A", 2, uid="1"), replies("B", 2, uid="1")
for reply in [A[0], B[0], B[1], A[1]]:
    registry.deliver(reply)
print("A has", said(a.replies), "and B has", said(b.replies))
print("dropped:", registry.discarded)

# %% [markdown]
# The second `open` took the place of the first. B reads A1 in front of its own answer; A waits for
# ever. A2 was dropped, because its owner had had a last reply already. A widely used server has met
# this fault more than once (vLLM, issues 10583, 15041, 27987). So the client's name is handed back,
# and decides nothing.

# %% [markdown]
# ## What is still wrong
#
# Now the whole server of this chapter, with names, states and a registry. A wants 60 tokens, at 20
# ms each. As soon as A is being computed, B asks for 5 tokens, and somebody asks for `/health`.
#
# **Write down a guess:** after how many seconds does B have its answer? And `/health`?

# %%
my_guess = "B after … s, /health after … s"


# %%
def long_and_short(server):
    def once_a_is_computed(call):
        server.watch.wait_for("prefill")
        return call()

    return together(
        [
            lambda: ask(server, "A", max_tokens=60, ignore_eos=True),
            lambda: once_a_is_computed(lambda: ask(server, "B", max_tokens=5)),
            lambda: once_a_is_computed(lambda: ask(server, path="/health")),
        ]
    )


with serve(2, pace=50) as server:
    a, b, health = long_and_short(server)
    server.watch.wait_for("finished", 3)
    events = list(server.watch)
    alone = ask(server, "B", max_tokens=5)
print(f"A after {a.took:.2f} s, B after {b.took:.2f} s, /health after {health.took:.2f} s")
print(f"B alone needs {alone.took:.2f} s: it took {b.took / alone.took:.0f} times as long")

# %%
show(
    timeline(
        events,
        "Names are not enough: B waits until A has ended",
        server.whose,
        ["A", "B", "/health"],
        asked=[a, b, health],
        loop=True,
    ),
    alt="B and /health wait, without being received, until A ends; the event loop is blocked.",
)

# %% [markdown]
# The white dots are the moments at which the clients asked. B and `/health` were not even
# received before A had ended: the request lay in the system's buffer, and the event loop did not
# come to fetch it. The hatched row says why. `pump` asks the pipe for the next reply, and this
# pipe computes it there and then, in the event loop's only thread.
#
# All is ready for replies that are mixed, and nobody mixes them. What is missing is somebody else
# who computes, and a way for the loop to wait without standing still. That is
# [chapter 3](ch03_concurrent_queues.ipynb).

# %% [markdown]
# ## The exercise
#
# The [lab sheet](../chapters/ch02_request_ids/README.md) has the layer in one picture. The files
# are in `chapters/ch02_request_ids/`.
#
# | Task | File | You write | See above |
# |---|---|---|---|
# | 2.1 | `ids.py` | `new_uid`, `client_id`, `EchoRequestId` | *A name that nobody else has* |
# | 2.2 | `state.py` | `RequestState` | *What a request keeps for itself* |
# | 2.3 | `registry.py` | `Registry` | *A name that travels with the work* |
# | 2.4 | `pump.py` | `pump`, `RegisteredAnswer` | *A late reply* |
# | 2.5 | `harden.py` | `violations` | *All seventy tapes* |
#
# For Task 2.1 one thing is new. An ASGI app is called as `app(scope, receive, send)`, so an object
# that is called like this and calls an app inside is a **layer** around it. It may give the inner
# app a `send` of its own, which changes what passes:


# %%
async def hello(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"hello"})


class Loud:
    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        async def louder(message):  # made anew in each call: it belongs to this request
            if "body" in message:
                message = {**message, "body": message["body"].upper()}
            await send(message)

        await self.app(scope, receive, louder)


async def tell(message):
    print(message)


await Loud(hello)({"type": "http"}, None, tell)

# %% [markdown]
# One `Loud` serves all requests. What belongs to one of them stands in local variables, or in a
# function defined inside the call. In `self` it would be everybody's, as the list in the class was.
#
# Write, save, and run this cell again. Each failure says what was sent, what came back, and why it
# matters; `make hint-2.1` helps.

# %%
check(2)

# %% [markdown]
# As soon as a task passes, the cells above run on your file: run them again.

# %% [markdown]
# ## Quiz
#
# **1.** The replies came as A1 B1 B2 A2. Must the server put them back into the order in which the
# requests were made?
#
# <details><summary>Answer</summary>
#
# No. Each request's own replies must stay in their order. Which of two requests goes first is
# nobody's concern, and a server that put all of A before B would keep B waiting for nothing.
#
# </details>
#
# **2.** How do interleaved results find their clients? Name every place that the uid passes.
#
# <details><summary>Answer</summary>
#
# The registry opens a state under a uid. The uid goes into the `GenerationRequest`, from there into
# every `Reply`, and `deliver` looks the owner up under it. The handler that holds this state
# answers on the connection from which the request came. The connection itself is never looked up:
# the handler has it.
#
# </details>
#
# **3.** Your rule for Task 2.5 is right about the tape A1 A2 B1 B2. Which faults can that tape not
# show?
#
# <details><summary>Answer</summary>
#
# Any that needs mixed replies. For example readers who take the next reply until a last one, when
# they come one after the other: A's takes A1 A2, B's takes B1 B2, and all is right by luck.
#
# </details>
#
# **4.** A reply comes for a uid that the registry does not know. Why is that no error, and why is
# it counted?
#
# <details><summary>Answer</summary>
#
# Its client may have left a moment before, which is nobody's fault. But a server that loses states
# looks the same, and only the count shows it: it rises although nobody leaves.
#
# </details>
#
# **5.** Every request has a state of its own. Why has it no model of its own?
#
# <details><summary>Answer</summary>
#
# Nothing in the weights differs between requests, and nothing writes to them. What differs is
# small: the parameters, the replies so far, whether it is finished, and the KV cache.
#
# </details>
#
# **6.** Two clients send `X-Request-Id: 1` at the same moment. What does each get back?
#
# <details><summary>Answer</summary>
#
# Each gets its `1` back in the header, and an `id` in the body that no other answer has.
#
# </details>

# %% [markdown]
# ## Closing exercise
#
# In your own words, half a page: why does a service have many requests unfinished at once, where a
# program on your laptop has one? And when their replies come out of one pipe in any order, what
# exactly keeps them apart?
#
# <details><summary>A model answer</summary>
#
# A program on a laptop has one user, who asks again when the answer is there. A service has many,
# who do not know of each other and do not wait for each other to ask. An answer takes seconds, so
# the next request comes before the last one has ended. Taking it in, and keeping it until its turn
# comes, is what a server is for: the model is the costly part, and all share it.
#
# From then on several requests are unfinished, and the model may work for any of them. What comes
# out of it is a row of replies in no order that anybody could rely on. Three things keep them
# apart. Each request has a uid that no other request has, in this process or another, and that no
# client chooses. The uid travels: with the work to the model, and with each reply back. And the
# server keeps a state for each uid, with that request's replies and nothing of any other's; it is
# opened before the work is sent and closed however the request ends. A reply whose uid is not
# there any more is late; it is dropped and counted. The order of arrival decides nothing, except
# within one request, where it is kept.
#
# </details>
