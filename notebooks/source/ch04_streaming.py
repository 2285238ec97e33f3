# %% [markdown]
# # Chapter 4: streaming
#
# > You ask a chat service something, and the words come one after another, as if somebody were
# > typing. Is the answer ready sooner that way?
#
# Chapter 3's server takes everybody in, and then each of them waits in silence until the last
# token has been computed. The first words of an answer have been there for a long time by then.
# This chapter lets them out.
#
# About 60 minutes, and two hours more for the exercise. The stages of a request are in
# [the path of a request](ch00_the_path_of_a_request.ipynb), the worker and its turns in
# [chapter 3](ch03_concurrent_queues.ipynb).

# %%
from start import *

import asyncio
import json
from collections import Counter

from tokenizers import Tokenizer

from chapters.core import embedded
from chapters.lessons.own import layer
from chapters.lessons.rows import aligned_rows, pushed, token_bytes
from chapters.lessons.waits import side_by_side, text_times
from chapters.lessons.events import (
    asked,
    broken_cuts,
    in_utf8,
    read_late,
    reads_of,
    told,
    unchunked,
)

# %% [markdown]
# ## Two ways to wait
#
# The same question is asked twice, once without and once with `"stream": true`. The answer has 40
# tokens, and a forward pass takes 25 ms.
#
# *Before you run it,* pick one:
#
# - **a** The streamed answer ends sooner, because it needs fewer forward passes.
# - **b** The streamed answer starts sooner and ends at about the same time, after the same number
#   of passes.
# - **c** The streamed answer starts sooner and ends clearly later, because each piece has to be
#   sent.

# %%
my_guess = "…"

# %%
with serve(4, pace=40) as server:
    whole = ask(server, "Once", max_tokens=40, ignore_eos=True)
    streamed = ask(server, "Once", max_tokens=40, ignore_eos=True, stream=True)
    server.watch.wait_for("finished", 2)

title = "Streaming moves the first text to the front, and the last text nowhere"
show(
    side_by_side(server.watch, {"whole": whole, "streamed": streamed}, title, server.whose),
    alt="Two requests on one axis of time, each with a row of forward passes and a row of text "
    "arriving. Both have the same number of passes. Whole: all text at the end. Streamed: text "
    "after every pass, the last at the same time as the whole answer.",
)

# %%
passes = Counter(event.uid for event in server.watch if event.kind in ("prefill", "decode"))
first, last = text_times(streamed)[0], text_times(streamed)[-1]
print(f"forward passes: {' and '.join(map(str, passes.values()))}")
print(f"first text: whole {whole.took:.2f} s, streamed {first:.2f} s")
print(f"last text:  whole {whole.took:.2f} s, streamed {last:.2f} s")

# %% [markdown]
# The answer is **b**. Every token costs one forward pass, in the same order, in both runs: the
# passes are counted from the server's own trace. What differs is what happens to text that is
# finished: it is kept until the end, or it is sent.
#
# So streaming shortens one part of the wait, the one before the first words. Without it, that part
# grows with the length of the answer. With it, it is the queue and the prefill, however long the
# answer will be: the prefill's pass gives the first token. The end does not come sooner. A reader
# who starts reading at once is helped; a program that needs the whole answer before it can go on is
# not.
#
# ### Does the one who waits for the whole block the others?
#
# A asks for a whole answer of 40 tokens. While it is being computed, somebody asks for `/health`,
# and then B for 5 tokens. *Before you run it:* do they have to wait until A has its answer?


# %%
def others():
    server.watch.wait_for("prefill")  # A is being computed
    return ask(server), ask(server, "Hi", max_tokens=5, ignore_eos=True, stream=True)


with serve(4, pace=40) as server:
    calls = [lambda: ask(server, "Once", max_tokens=40, ignore_eos=True), others]
    a, (health, b) = together(calls)
    server.watch.wait_for("finished", 3)

show(
    timeline(
        server.watch,
        "B comes, is served and leaves while A waits",
        server.whose,
        names=["A, whole", "B, streamed"],
    ),
    alt="Two rows. A's forward passes go on for about a second; near their beginning B's five "
    "alternate with them, and B is finished long before A.",
)
print(f"/health {1000 * health.took:.0f} ms, B {b.took:.2f} s, A {a.took:.2f} s")

# %% [markdown]
# They do not. "Not streaming" is not "blocking". A's handler waits at an `await`, and the event
# loop serves the others meanwhile; A alone sees nothing. What blocked everybody in chapter 1 was
# that the model ran on the event loop, not that the answer came in one piece.
#
# Below the picture stand chapter 3's three counters. Streaming changes none of them: two requests
# are unfinished at once, and still one row is in each pass.
#
# ## A token is not yet text
#
# A pass has ended and a token is there. Can its text be sent now? Chapter 0 said: not always. To
# build the part that knows when, you have to see what text is made of.
#
# Computers store text as bytes. In **UTF-8** a character takes one to four of them: the letters of
# English one, others more.

# %%
for character in "aü日😀":
    print(character, "=", character.encode().hex(" "))

# %% [markdown]
# The first byte of a character says how many follow. A decoder that meets a byte which fits
# nowhere, or an end where more should follow, writes **U+FFFD**, the replacement character
# `�`.
#
# A token is a piece of bytes. The tokenizer of our model has learned which pieces are frequent in
# its texts, and a rare character is not among them.
#
# *Before you run it:* how many tokens is `Tokyo is 東京 😀`, and how many of them give readable
# text when each is decoded by itself?

# %%
tokenizer = Tokenizer.from_file(str(embedded.folder() / "tokenizer.json"))
ids = tokenizer.encode("Tokyo is 東京 😀", add_special_tokens=False).ids
alone = [tokenizer.decode([token]) for token in ids]
for token, text in zip(ids, alone, strict=True):
    print(f"{token:6}  {token_bytes(tokenizer, token).hex(' '):24} {text!r}")

# %%
readable = sum("\ufffd" not in text for text in alone)
print(f"{len(ids)} tokens, {readable} of them readable alone")
print("decoded one by one: ", "".join(alone))
print("decoded together:   ", tokenizer.decode(ids))

# %% [markdown]
# Nothing is wrong with the tokens: together they are the text. Decoding them one by one
# destroyed it. A server that does so ships `�` for every character that takes several tokens.
# Here is one, over HTTP. Its core is the scripted one, which repeats the first letters of the
# prompt, one byte a token, and then counts; `told` takes a response apart into its events.

# %%
with serve(4, wrong="decodes_each_token_alone") as server:
    broken = ask(server, "日本語", max_tokens=12, stream=True)
print("".join(event.text for event in told(broken)))
print(f"({server.whose})")

# %% [markdown]
# The way out is to **hold back what may still change**. As long as the text of the tokens so
# far ends with `�`, its new part waits. When the next token completes the character, all of it
# leaves. What has been sent can never be taken back, so sending early and correcting later is
# no choice.
#
# This is Task 4.1, `IncrementalText`: `push` takes one more token and returns the text that may
# leave, `flush` at the end returns what is left. *Guess* for the tokens from above: after which of
# them does text leave?

# %%
own = layer(4)
growing = own.text.IncrementalText(tokenizer.decode)
for token in ids:
    print(f"{token_bytes(tokenizer, token).hex(' '):24} → {growing.push(token)!r}")
print(f"{'end':24} → {growing.flush()!r}")
print(f"({own.whose})")

# %% [markdown]
# Some pushes give `''`: a token was computed, and there is nothing to show. The bytes did not get
# lost. They wait in the decoding state of this one request, in the worker.
#
# `max_tokens` counts tokens, so it may cut a character in two. *Before you run it:* the scripted
# core says 日本語, one byte a token, and `max_tokens` is 4. What does the client get?

# %%
with serve(4) as server:
    cut = ask(server, "日本語", max_tokens=4, stream=True)
print([event.text for event in told(cut) if event.text])

# %% [markdown]
# One character, and then `�` for the byte that was left over. No more tokens will come, so
# what is half stays half, and `flush` gives it out. Holding it back for ever would lose a
# token that the client has paid for.
#
# ## Token, text, event, read
#
# Now on the real model. It continues a list of emoji, 16 tokens of it, as a stream. Each piece of
# text that may leave is written as one *event*, and the client gets bytes by *reading* from its
# socket.
#
# *Before you run it:* 16 tokens. How many events with text? How many reads will the client need?
# And a client that looks late, when all has been written, and takes 700 bytes a read?

# %%
my_guess = {"events": "…", "reads": "…", "reads of 700 bytes, late": "…"}

# %%
prompt = "😀 happy\n😢 sad\n😎 cool\n😀 happy\n😢 sad\n😎"
request = request_bytes({"prompt": prompt, "max_tokens": 16, "temperature": 0, "stream": True})
with serve(4, model=None, threads=1) as server:
    at_once = raw(server, request)
    server.watch.wait_for("finished")
    events = list(server.watch)  # of this one request
    late = read_late(server, request, 700)
model_name, whose = server.model_name, server.whose

# %%
tokens = [event.data["token"] for event in events if event.kind == "token"]
texts = pushed(layer(4).text.IncrementalText(tokenizer.decode), tokens)
answers = {"read at once": at_once, "read late": late}
show(
    aligned_rows(
        [token_bytes(tokenizer, t) for t in tokens], texts, answers, f"{model_name}, {whose}"
    ),
    alt="Five rows with a column a token. Tokens: some are grey, half a character. Text: fewer "
    "boxes, an emoji spans three tokens. Events: one for each text, then the finish reason and "
    "[DONE]. Reads at once: about one an event. Reads late: a few, which cut events in two.",
)

# %% [markdown]
# Read the picture from top to bottom.
#
# - A **token** is what one forward pass gives. Grey ones gave no text of their own.
# - A **text** is what could be let out. It may need several tokens.
# - An **event** is what the server says. There is one for each text, one that says why the answer
#   ended, and `[DONE]`. So events and tokens do not match one to one.
# - A **read** is what the network had when the client asked. Who asks at once finds about one
#   event, since the model is slower than the network. Who asks late finds many events at once, and
#   the last of them cut wherever the read was full.
#
# Nothing in a read says where an event ends. Only the bytes themselves do.
#
# ### The way there, and back again and again
#
# The same request, as the server's trace has it:

# %%
stages = {
    "received": "client → API server",
    "submitted": "API server and tokenizer → scheduler",
    "admitted": "scheduler",
    "prefill": "engine, the whole prompt",
    "decode": "engine, one more token",
    "token": "engine → detokenizer",
    "delivered": "detokenizer → API server",
    "written": "API server → client",
    "finished": "API server",
}
times = Counter(event.kind for event in events)
for kind, stage in stages.items():
    print(f"{times[kind]:3} × {kind:10} {stage}")

# %% [markdown]
# The way there is taken once. The way back begins anew with each token, and does not always reach
# the client: a reply without text writes nothing. Replies that have come together are written
# together, which makes "written" rarer still. The names on the right are responsibilities, not
# processes: scheduler, engine and detokenizer share one thread here.
#
# ## What is on the wire
#
# Two tokens of a chat answer, as bytes. Try to say of each line who has made the rule for it.

# %%
with serve(4) as server:
    chat = ask(server, [{"role": "user", "content": "Hi"}], max_tokens=2, stream=True)
print(chat.raw.decode())

# %% [markdown]
# Three sets of rules lie one inside the other.
#
# - **HTTP**: the status line and the headers. A length is not given, because nobody knows it yet;
#   `transfer-encoding: chunked` cuts the body into pieces, each after a line with its size in
#   hexadecimal, and a piece of size 0 ends it. HTTP libraries take these out again. They are not
#   events: one piece may hold several.
# - **Server-sent events** (SSE), `text/event-stream`: one response that is kept open. A line
#   `data: …` carries something, and an empty line ends the event. That is nearly all of it. SSE
#   does not know what the data means.
# - **The API**: the data is JSON in OpenAI's shape. The client joins `choices[0].delta.content` of
#   all events. One event names the finish reason. `[DONE]`, which is not even JSON, says that the
#   end was meant. (OpenAI calls such a piece of JSON a chunk; it is not one of HTTP's.)
#
# `[DONE]` belongs to this API and not to SSE. Task 4.4's parser knows SSE alone, where a line that
# begins with a colon is a remark. *Guess:* what does it make of these bytes? And how many lines has
# the text below, for SSE, where `\n` and `\r` end a line, and for Python?

# %%
own = layer(4)
stream_of_bytes = b"data: hello\n\n: a remark\n\ndata: [DONE]\n\ndata: more\n\n"
print(own.client.EventParser().feed(stream_of_bytes), f"({own.whose})")
print("one\u2028line".splitlines())

# %% [markdown]
# Three events, and `[DONE]` is one like the others. A stream of another API ends in another way,
# or never. `read_answer`, above the parser, is the one that knows this API.
#
# The text is one line for SSE and two for Python: `splitlines` also ends a line at U+2028, which
# may stand inside an event's JSON.
#
# ### A stream in Python: the asynchronous generator
#
# You know generators: a function with `yield` that is run piece by piece, as its caller asks for
# the next value. In an `async def`, such a function may also `await` between two values, and
# `async for` asks it. Frameworks stream responses from them.
#
# Below, `replies` waits for a mailbox, as a server waits for the worker. `await asyncio.sleep(0)`
# lets the event loop run everybody else once. *Guess:* in which order do "computed" and "sent"
# stand in the log?


# %%
async def replies(mailbox):
    try:
        while (reply := await mailbox.get()) is not None:
            yield reply
    finally:
        log.append("released")


async def send_all(mailbox):
    async for reply in replies(mailbox):
        log.append(f"sent {reply}")


log, mailbox = [], asyncio.Queue()
sending = asyncio.create_task(send_all(mailbox))
for word in ["Hel", "lo", None]:
    log.append(f"computed {word}")
    mailbox.put_nowait(word)
    await asyncio.sleep(0)
await sending
print(log)

# %% [markdown]
# "Hel" was sent before "lo" existed: between two values the generator sleeps, and the loop is
# free. At the end, `finally` gave the mailbox back.
#
# *Before you run the next one:* the reader leaves the loop after the first reply. When does
# `finally` run?

# %%
log, mailbox = [], asyncio.Queue()
mailbox.put_nowait("Hel")
generator = replies(mailbox)
async for reply in generator:
    log.append(f"left after {reply}")
    break
print(log)
await generator.aclose()
print(log)

# %% [markdown]
# Not when the loop is left. The generator is still there, stopped at its `yield`, and holds what
# it holds, until somebody closes it or the garbage collector finds it.
# `async with contextlib.aclosing(replies(mailbox)) as generator:` closes it on every way out. A
# generator that nobody has asked for a first value does not even enter its `try`.
#
# Our server writes this without a generator, so that its clean-up has one visible place:
# [`answer.py`](../chapters/ch04_streaming/answer.py) takes from the mailbox in a loop, and `send`
# stands where `yield` would.
#
# ## Stop strings
#
# A request may name strings at which its answer shall end, and which are not part of it. The model
# here counts: its tokens are `H`, `i`, ` 1`, ` 2`, ` 3`, … and the stop string is `2 3`. It begins
# in the middle of one token and ends with another.
#
# *Before you run it:* which texts does the client get, one by one? The second server is a wrong
# one, which looks for the stop string in the text it has already sent. What does its client see?

# %%
for wrong in [None, "half_a_stop_leaks"]:
    with serve(4, wrong=wrong) as server:
        stopped = ask(server, "Hi", stop="2 3", max_tokens=9, stream=True)
    print([event.text for event in told(stopped) if event.text], server.whose)

# %% [markdown]
# The space of ` 2` may leave: no stop string begins with it. The `2` may not. It looks like
# ordinary text, and it may be the beginning of the stop string, so it waits for the next token,
# which decides. The wrong server has shown it, and cannot take it back.
#
# And if the stop string does not come? *Guess first:* the stop string is `2 4`.

# %%
with serve(4) as server:
    false_alarm = ask(server, "Hi", stop="2 4", max_tokens=6, stream=True)
print([event.text for event in told(false_alarm) if event.text], server.whose)

# %% [markdown]
# The `2` leaves one token late, together with ` 3`, in one event. Nothing is lost. This is the
# second reason why a token need not be an event.
#
# ## A client puts it together again
#
# A stream of 12 tokens is captured. Then the network is imagined to deliver it in two reads, cut
# at one place: after the first byte, after the second, and so on. Each cut is fed to two clients:
# one that takes each read for a number of whole events, which is what one gets by trying it out on
# a fast machine, and `read_answer` of Task 4.4.
#
# The same is done with the events as many other servers write them, in UTF-8 without JSON's `\u`
# escapes: there a cut may go through the middle of a character.


# %%
def each_read_is_whole(reads):
    text = ""
    for read in reads:
        for event in read.decode().strip().split("\n\n"):
            if event != "data: [DONE]":
                delta = json.loads(event.removeprefix("data: "))["choices"][0]["delta"]
                text += delta.get("content") or ""
    return text


with serve(4) as server:
    full = ask(server, [{"role": "user", "content": "日本語ü!"}], max_tokens=12, stream=True)
captured, _ = unchunked(full.raw)  # without HTTP's sizes
wanted = "".join(event.text for event in told(full))

# %% [markdown]
# *Before you run it:* there are more than a thousand places to cut at. At how many of them does
# the first client lose the text?

# %%
own = layer(4)
client = own.client
for name, body in {"captured": captured, "in UTF-8": in_utf8(captured)}.items():
    for who in (each_read_is_whole, client.read_answer):
        lost = broken_cuts(who, body, wanted)
        print(f"{name}: {who.__name__:18} loses the text at {len(lost)} of {len(body) - 1} cuts")
print(f"(read_answer: {own.whose})")

# %% [markdown]
# The first client is right only where the cut falls between two events. On a fast machine, with a
# slow model, that is what happens nearly always, so it passes its tests. It breaks for the user on
# the train.
#
# A client that works keeps what has not ended yet, bytes of a character, half a line, lines of an
# event, until the next read. Only the empty line ends an event.
#
# ### The stream that ends, and was not finished
#
# The server is killed in the middle of an answer. *Before you run it:* what does the client's next
# read return?

# %%
question = [{"role": "user", "content": "Hello"}]
request = request_bytes({"messages": question, "stream": True}, "/v1/chat/completions")
with serve(4, pace=40) as server, asked(server, request) as connection:  # it has been sent
    reads = []
    for read in reads_of(connection):
        reads.append(read)
        if len(reads) == 8:
            server.process.kill()
body, _ = unchunked(b"".join(read.data for read in reads))
print(f"{len(reads)} reads, then b''; the last bytes: …{body[-30:]!r}")
try:
    print(client.read_answer([body]))
except client.StreamError as error:
    print(f"read_answer raises StreamError: {error}")

# %% [markdown]
# The read returned `b''`, as it does at every end. Nothing was raised. The text so far looks like
# an answer. Only `[DONE]` is missing, and so is the finish reason: a client that does not insist on
# them shows half an answer as a whole one.
#
# HTTP's own end, the piece of size 0, is missing as well, and many HTTP libraries complain. But
# between you and the model there may be a proxy that ends its own response properly, although the
# server behind it has died. The API's mark comes from the one who knows.
#
# ## When something fails
#
# A status can be sent once, before the first byte of the body. Our server sends it with the first
# reply. The script below lets the model fail in its first forward pass, or in its third.
#
# *Before you run it:* which statuses do the two clients see? How does each learn of the failure?

# %%
out = RuntimeError("out of memory")
script = {"fails at once": [out], "fails later": ["Once", " upon", out]}
with serve(4, script=script) as server:
    for said in script:
        failed = ask(server, [{"role": "user", "content": said}], stream=True)
        print(f"--- {said}: status {failed.status}\n{failed.body.decode()}")

# %% [markdown]
# In the first pass nothing has been sent yet, so the client gets what it would get without
# streaming: status 500 and JSON. In the third pass the 200 has left long ago. What is left is to
# say it inside the stream: an event with `error`, and `[DONE]`, which says that no more will come.
#
# A failure needs an explicit end, or somebody waits for ever or believes in half an answer. The
# same failure from a server that just ends the stream:

# %%
with serve(4, script=script, wrong="failure_looks_like_an_end") as server:
    silent = ask(server, [{"role": "user", "content": "fails later"}], stream=True)
print("what a careless client shows:", "".join(event.text for event in told(silent)))
try:
    client.read_answer([unchunked(silent.raw)[0]])
except client.StreamError as error:
    print("what read_answer says:       ", error)

# %% [markdown]
# ## The exercise
#
# The [lab sheet](../chapters/ch04_streaming/README.md) has what you need beside this notebook. The
# files are in `chapters/ch04_streaming/`.
#
# | Task | File | You write | See above |
# |---|---|---|---|
# | 4.1 | `text.py` | `IncrementalText` | *A token is not yet text* |
# | 4.2 | `stops.py` | `StopStrings` | *Stop strings* |
# | 4.3 | `events.py` | `event`, `opening`, … | *What is on the wire* |
# | 4.4 | `client.py` | `EventParser`, `read_answer` | *A client puts it together again* |
# | 4.5 | `harden.py` | `violations` | all of it |

# %%
check(4)

# %% [markdown]
# As soon as a task passes, the cells above run on your file; the captions say so. Nothing has to
# be restarted: each `serve` starts a new process, which reads the files anew. `use("reference")`
# goes back to ours, `use("mine")` takes yours, finished or not.
#
# ## Quiz
#
# Answer before you unfold.
#
# **1.** A token has been computed. Does the client have text to show?
#
# <details><summary>Answer</summary>
#
# Not always. The token may be half a character, its text may be the beginning of a stop string, or
# it may be the end token, which has no text. The grey boxes of the five rows above are tokens of
# the first kind.
#
# </details>
#
# **2.** Who turns text into ids, who decides which request computes next, and who turns ids into
# text?
#
# <details><summary>Answer</summary>
#
# The tokenizer, called by the API server before the request is submitted; the scheduler, here
# `Turns` in the worker; the detokenizer, here in the worker too, with a decoding state for each
# request. The engine knows ids only.
#
# </details>
#
# **3.** A client without `"stream": true` waits 30 seconds. How long do the others wait because of
# it?
#
# <details><summary>Answer</summary>
#
# For the HTTP side, not at all: its handler waits and blocks nobody; `/health` answered at once.
# For the model, as long as for any other request of that length: they share the passes, streamed
# or not.
#
# </details>
#
# **4.** Which part of the wait does streaming improve, and how could the last word come sooner?
#
# <details><summary>Answer</summary>
#
# The wait for the first text. The last word comes after the last pass; it comes sooner only with
# fewer tokens, faster passes, or less waiting for others' passes. Batching is about the
# last two.
#
# </details>
#
# **5.** An answer of 100 tokens came as 83 events in 12 reads. Is something wrong?
#
# <details><summary>Answer</summary>
#
# No. Some tokens gave no text of their own, so there are fewer events than tokens. The client was
# slower than the server, or the network collected bytes, so there are fewer reads than events. It
# would be wrong only if the joined text were another one.
#
# </details>
#
# **6.** The stop string is `###`, the text so far ends with `#`, and then the model ends by
# itself. What does the client get?
#
# <details><summary>Answer</summary>
#
# The `#`. It was held back because it could have become a stop string; it became none, so it is
# text. `flush` gives it.
#
# </details>
#
# **7.** Why may a parser not use `str.splitlines`?
#
# <details><summary>Answer</summary>
#
# Python ends lines at U+2028, U+0085 and others as well. They may stand inside the JSON of an
# event, and in server-sent events they end nothing. The parser would cut an event in two.
#
# </details>
#
# ## Closing exercise
#
# Write half a page before you unfold: *A colleague wants to turn on streaming everywhere, "to save
# GPU time and make answers faster". What does streaming improve, for whom, and how would you
# measure it? Why does it save no computation?*
#
# <details><summary>A model answer</summary>
#
# Each token depends on the ones before it, so an answer of n tokens takes n forward passes, one
# after another. Whether the text of a token is sent at once or kept until the end changes nothing
# about these passes. The trace shows the same count for both; streaming even adds a little work on
# the HTTP side, since each piece is wrapped, written and parsed by itself.
#
# It improves the time to the first text, from the time of all passes to that of the first few.
# People who read along are helped: the model is often faster than they read. They can also see
# early that an answer goes wrong, and stop it. A program that needs the whole answer, to parse it
# as JSON for instance, gains nothing.
#
# To measure it, note two times for each request, streamed and whole: when the first text arrived
# and when the last did. Count the forward passes on the server. First text differs by the length
# of the answer; last text and passes agree. A client that streams has to pay for it in care: it
# parses events whatever the reads, and takes a stream without its end mark for a failure.
#
# </details>
#
# ## What is still wrong
#
# A client reads five times and leaves. *Before you run it:* how many of the 60 forward passes are
# made?

# %%
request = request_bytes({"prompt": "Once", "max_tokens": 60, "ignore_eos": True, "stream": True})
with serve(4, pace=200) as server:
    reading = stream(server, request)
    for _ in range(5):
        next(reading)
    reading.close()
    before = len(server.watch.of("token"))
    server.watch.wait_for("kv freed")
    print(f"{before} tokens when the client left, {len(server.watch.of('token'))} in the end")

# %% [markdown]
# All of them. The tab is closed, and the model works on for nobody, with its KV cache in memory,
# until the limit is reached. Somebody would have to tell the worker. That is
# [chapter 5](ch05_cancellation.ipynb).
