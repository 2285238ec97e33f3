# %% [markdown]
# # Chapter 1: a bare HTTP handler
#
# > You ask a chat service for a long story. In another room a colleague opens the same service
# > and asks only whether it is up. Her page hangs until your story is finished. Why?
#
# The page of your colleague asks for `/health`, an address that answers with one word and needs
# no model. This chapter puts a generation program behind HTTP, looks at every byte that goes in
# and out, and then measures her wait.
#
# Read [the path of a request](ch00_the_path_of_a_request.ipynb) first, and
# [waiting](ch00b_waiting.ipynb) if event loops and threads are new to you. The notebook takes about
# 45 minutes; the tasks at its end take longer.

# %%
from socket import AF_INET, SOCK_STREAM, create_connection, getaddrinfo
from urllib.parse import urlsplit

from start import *

from chapters.lessons.callers import run, table
from chapters.lessons.traces import lanes, passes
from chapters.lessons.wire import labelled

# %% [markdown]
# **Write down a guess now.** A asks for 200 tokens, which takes two seconds here. While the
# model works, somebody asks for `/health`. When does the answer come: at once, after A's next
# token, or when A has all 200?

# %%
my_guess = "…"

# %% [markdown]
# ## The address
#
# A client needs to know where to ask. That is one line of text.

# %%
address = urlsplit("http://localhost:1919/v1/chat/completions")
for part in ("scheme", "hostname", "port", "path"):
    print(f"{part:10} {getattr(address, part)}")

# %% [markdown]
# - The **scheme** says which language is spoken: HTTP.
# - The **host** says which machine to call.
# - The **port** says which program on that machine. Many programs listen on one machine, each on
#   a port of its own.
# - The **path** says what is wanted of that program. One program answers on many paths.
#
# **Guess.** You send this address to a friend, who opens it on a laptop of their own. Whose
# server is asked, yours or your friend's?

# %%
print("localhost is", getaddrinfo("localhost", 1919, AF_INET, SOCK_STREAM)[0][4][0])

with serve(1) as server:
    ended = server.port
    print(f"port {ended}, while the server runs: status {ask(server, path='/health').status}")
try:
    create_connection(("localhost", ended))
except ConnectionRefusedError:
    print(f"port {ended}, afterwards: refused, nobody listens there")

# %% [markdown]
# The address 127.0.0.1 never leaves the machine. `localhost` means "the machine on which this
# client runs", and it means that on every machine. Your friend's laptop asks itself. If no
# program listens there on port 1919, the system says so at once: refused. The machine was
# found, and the program was not.
#
# `serve(1)` starts chapter 1's server as a program of its own, on a port that is free just now;
# the end of the `with` block ends it. That port stands in `server.port`.

# %% [markdown]
# ## A request is bytes
#
# This is all that a client sends. The labels on the left are ours.

# %%
FRANCE = {"role": "user", "content": "What is the capital of France?"}
CHAT = "/v1/chat/completions"

request = request_bytes({"messages": [FRANCE], "max_tokens": 24, "temperature": 0}, CHAT)
print(labelled(request))

# %% [markdown]
# **Before you read on**, find three things in it: the path, the format of the body, the question.
#
# The path stands in the **request line**, between the method and the version. The format stands
# in the header `Content-Type`. The question stands in the **body**, inside `messages`.
#
# Every header is a name and a value. `Host` repeats which host was called, since one server may
# answer for many names. `Content-Length` says how many bytes the body has. Without it the server
# could not know where the body ends: a connection has no end of its own while it is open.
# `Connection: close` asks the server to close it after the reply. The **blank line** ends the
# headers. What follows is the body.
#
# HTTP fixes this much and no more: a request line, headers, a blank line, a body. It says nothing
# of models. That there is a path `/v1/chat/completions`, and that its body is JSON with a field
# `messages`, is the **API** of this kind of service. OpenAI chose it, and most servers took it
# over.

# %% [markdown]
# ## Asking a real model
#
# The next cell starts the server with a real model, SmolLM2 with 135 million parameters, and asks
# it several things. It prints nothing. The cells after it look at the answers one by one, so that
# you can guess before you look.

# %%
PARIS = {"role": "assistant", "content": "Paris."}
ITALY = {"role": "user", "content": "And of Italy?"}
SUMS = [(17, 23), (34, 12), (26, 43)]


def product(a, b):
    return [{"role": "user", "content": f"What is {a} times {b}? Answer with the number only."}]


with serve(1, model=None, threads=1) as server:  # None: the embedded model
    reply = raw(server, request)
    alone = ask(server, [ITALY], max_tokens=16)
    history = ask(server, [FRANCE, PARIS, ITALY], max_tokens=24)
    plain = ask(server, "The capital of France is", max_tokens=4)
    products = [ask(server, product(a, b), max_tokens=12) for a, b in SUMS]

# %% [markdown]
# ## A reply is bytes
#
# First the reply to the request above. It was sent byte for byte as you saw it, by `raw`: some
# 20 lines of Python on a socket. A client need not be a browser: whatever writes such bytes is one.

# %%
print(labelled(reply.raw))

# %% [markdown]
# The **status line** comes first: 200 means that the request was understood and here is the
# answer. Then headers, a blank line, a body, as before.
#
# In the body, `choices[0].message` is the model's turn of the conversation, with the role
# `assistant`. `finish_reason` says why the text ends: `stop`, because the model produced its end
# token; or `length`, because no more tokens were allowed. `usage` counts tokens, of the prompt
# and of the answer; the end token is counted too.
#
# ### Tokens, and a ceiling
#
# **Guess.** This request said `max_tokens: 24`. How many characters may the answer have? How many
# tokens will it have?

# %%
for name, ceiling, answer in [("capital of France", 24, reply), ("And of Italy?", 16, alone)]:
    count, choice = answer.json["usage"]["completion_tokens"], answer.json["choices"][0]
    print(f"{name}: max_tokens {ceiling}, {count} tokens came, of {len(answer.text)} characters;")
    print(f"   finish_reason {choice['finish_reason']!r}")

# %% [markdown]
# `max_tokens` counts tokens, and a token is a piece of text of any length: the characters follow
# from the text. It is a ceiling and no promise. An answer that is complete before it ends with
# `stop`. One that runs into it ends with `length`, in the middle of a sentence if need be.
#
# ### A plain prompt
#
# There is a second way to ask. `/v1/completions` takes `prompt`, a piece of text, and continues
# it.

# %%
print("choices[0].text:", repr(plain.text))
print("prompt_tokens, plain prompt:", plain.json["usage"]["prompt_tokens"])
print("prompt_tokens, one message: ", reply.json["usage"]["prompt_tokens"])

# %% [markdown]
# The text of the answer stands in `choices[0].text`; there is no message, and no role. The plain
# prompt cost fewer tokens although it is about as long: nothing was put around it. A conversation
# goes through the model's **chat template**, which marks who speaks, and here adds a system
# message of the model's own.

# %% [markdown]
# ## Who remembers the conversation?
#
# You have asked for the capital of France and have the answer. Now you want to ask: *And of
# Italy?*
#
# **Guess.** What must the second request contain? (a) Only the new question. (b) The new question
# and the `id` of the first answer. (c) All that was said so far.

# %%
for name, answer in [("only the new question", alone), ("all that was said", history)]:
    print(f"{name} ({answer.json['usage']['prompt_tokens']} prompt tokens):\n  {answer.text!r}")

# %% [markdown]
# (c). The same server had answered the question about France just before, and that did not
# help the first of these two requests. **The server remembers nothing between requests.** The
# client keeps the conversation and sends all of it, every time, oldest turn first. That is what
# the list `messages` is: the turns so far, each with its role and its content. It has nothing to
# do with the word "HTTP message", which means the whole request or the whole reply.
#
# Why not remember? Here is a server that does. It is one of the course's wrong answers:
# it puts what was said before in front of each request. Two clients, who do not know each other,
# send the same short question.

# %%
QUESTION = [{"role": "user", "content": "And of Italy?"}]


def prompt_tokens(wrong=None):
    with serve(1, wrong=wrong) as server:
        return [ask(server, QUESTION, max_tokens=2).json["usage"]["prompt_tokens"] for _ in "AB"]


print("remembers nothing:    ", prompt_tokens())
print("remembers what it saw:", prompt_tokens("server_remembers_the_conversation"))

# %% [markdown]
# The second client's prompt grew: it now holds the first client's words, and the model reads
# them. What belongs to one conversation must come with its request, or else the server has to
# know for certain whose it is.
#
# These two servers used the **scripted core**: a stand-in for the model which says what it is
# told, as fast or as slowly as it is told. Each byte of a prompt is a token to it. The HTTP side
# cannot tell the difference. We use it wherever the model's words are not the point.

# %% [markdown]
# ## Does HTTP say how a model computes?
#
# **Guess.** The bytes of `request` went to a real model on your machine. What must be changed in
# them for the scripted core, for a GPU, for a server that batches?

# %%
with serve(1) as server:
    other = raw(server, request)
    health = ask(server, path="/health")
print("same request, other core:", other.status)
print("the same fields in both: ", sorted(other.json) == sorted(reply.json))
print("GET /health:             ", health.status, health.body.decode())
print("prefills for both of them:", len(server.watch.of("prefill")))

# %% [markdown]
# Nothing. The same bytes were answered with the same fields. HTTP carried both, and it carried
# `/health`, for which no forward pass was made. HTTP neither runs a model nor decides what a GPU
# does next. All that happens behind the handler, and the rest of this course is about that.

# %% [markdown]
# ## What a wrong request gets
#
# People and programs make mistakes. **Guess a status for each:** 200 fine · 400 bad request · 404
# not found · 405 method not allowed · 500 the server's own failure.
#
# | request | your guess |
# |---|---|
# | the body is `{"messages": [` | |
# | `max_tokens` is `"20"`, a string | |
# | a field `max_token`, a slip of the pen | |
# | `n` is 2: two answers, please | |
# | `stream` is true, which this server cannot do yet | |
# | `model` is `gpt-9` | |
# | a prompt of 5000 tokens, where 4096 fit | |
# | `GET` instead of `POST` | |
# | the path `/v1/chat` | |

# %%
HI = {"prompt": "Hi"}
WRONG = {
    "half a body": request_bytes(b'{"messages": ['),
    "max_tokens a string": request_bytes(HI | {"max_tokens": "20"}),
    "a slip of the pen": request_bytes(HI | {"max_token": 20}),
    "two answers": request_bytes(HI | {"n": 2}),
    "a stream": request_bytes(HI | {"stream": True}),
    "another model": request_bytes(HI | {"model": "gpt-9"}),
    "too long a prompt": request_bytes({"prompt": "Hi " * 1700}),
    "GET": request_bytes(b"", "/v1/completions", "GET"),
    "unknown path": request_bytes(HI, "/v1/chat"),
}

# %%
with serve(1) as server:
    for name, sent in WRONG.items():
        answer = raw(server, sent)
        error = answer.json["error"]
        print(f"{answer.status}  {name}, param {error['param']}\n     {error['message']}")
print("\nforward passes for all of these:", len(server.watch.of("prefill")))

# %% [markdown]
# Each status blames somebody. 4xx says: the request is at fault, so sending the same again will
# not help. 5xx says: the server is at fault. A program reads the status and `param`, the field
# that was wrong; a person reads `message`, which says what came and what may come.
#
# No forward pass was made for any of them. What can be known before computing is checked before
# computing.
#
# `model` deserves a remark. This server has one model, so the field chooses nothing: it may be
# left out, and any other name is refused. A server that answered with another model than the one
# asked for would be harder to trust than one that says no.
#
# `n` is refused although it is a field of this API, because this server cannot honour it. To
# accept it and send one answer would be a lie with status 200.
#
# Does the exact status matter? Here is the same over-long prompt, sent to a server that lets it
# through to the core.

# %%
with serve(1, wrong="long_prompt_is_a_crash") as server:
    answer = raw(server, WRONG["too long a prompt"])
print(answer.status, answer.json["error"])

# %% [markdown]
# The client learns nothing that it could mend, and 500 tells it that the server had an accident.
# Most clients try such a request again, two or three times, and fail every time.

# %% [markdown]
# ## Does 200 mean that the answer is true?
#
# The real model was asked for three products. All three got status 200.
#
# **Guess.** How many of the three are right?

# %%
right = 0
for (a, b), answer in zip(SUMS, products, strict=True):
    true = str(a * b) in answer.text
    right += true
    print(f"{answer.status}  {a} × {b} = {a * b:<6} the model: {answer.text!r:30} {true}")
print(f"\n{len(SUMS)} answers with status 200, {right} of them true")

# %% [markdown]
# The status speaks of the exchange: understood, computed, delivered. It says nothing about the
# world. A model of this size is often wrong, and one a thousand times larger is wrong less often,
# with the same 200.

# %% [markdown]
# ## What does `stream` change?
#
# One field is left. `stream` asks for the answer in pieces. This chapter's server cannot do it
# yet, and said so above; chapter 4's can. We ask that one, once without and once with it.
#
# **Guess.** Which differs: what the model reads, how often it computes, or how the reply comes
# back?

# %%
with serve(4) as server:
    answers = [ask(server, "Hi", max_tokens=4, stream=stream) for stream in (False, True)]
prompts = [event.data["prompt"] for event in server.watch.of("prefill")]
tokens = [event.data["token"] for event in server.watch.of("token")]
print("same prompt for the model:", prompts[0] == prompts[1])
print("same tokens:              ", tokens[:4] == tokens[4:])
print("forward passes for each:  ", [len(passes(own)) for own in lanes(server.watch).values()])
for answer in answers:
    print("\n" + answer.headers["content-type"])
    for line in filter(None, answer.body.decode().split("\n")):
        print("  ", line if len(line) < 90 else f"{line[:60]} … {line[-110:]}")

# %% [markdown]
# Only the way back differs. The prompt is the same, the passes are as many, and so are the tokens.
# Without `stream` the body is one JSON object, sent when all is done. With it the body is a
# series of small ones, sent while the model goes on. Chapter 4 is about that.

# %% [markdown]
# ## The hanging page
#
# Now the question from the top. The core makes a hundred passes a second, A wants 200 tokens, and
# `/health` is asked for as soon as A's first pass has begun. Nothing here sleeps for a while and
# hopes: inside `run`, `wait_for("prefill")` waits until the server's trace shows that pass.

# %%
blocked = run(callers=1, tokens=200)
story = blocked.answers[0]

# %%
print("your guess:", my_guess)
print(f"A's 200 tokens took {story.took:.2f} s; /health took {blocked.health.took:.2f} s")
print(f"that is {blocked.health.took / story.took:.0%} of A's time")
picture = timeline(
    blocked.events,
    "While A is computed, nobody is answered",
    blocked.whose,
    ["A: 200 tokens", "/health"],
    asked=[story, blocked.health],
    loop=True,
)
show(picture, alt="A computes from start to end. /health is sent at the start, and waits as long.")

# %% [markdown]
# The answer of `/health` is one word. It came when A's last token was done.
#
# The bottom row says why. The server has one thread, and in it runs one **event loop**: it takes
# a piece of work, runs it until that waits for something, and takes the next. The handler is an
# `async def` function, so the loop could leave it at every `await`. But `generate` is an ordinary
# loop of forward passes. Nothing in it awaits. So the loop stays inside from the first pass to
# the last, and meanwhile it accepts no connection, reads no request, sends no byte.
#
# **`async def` around a blocking call still blocks.** The word makes a function that *can* be
# left at its awaits; it does not make any.

# %% [markdown]
# ## Ten callers
#
# Three numbers describe every run in this course, and each figure shows them at the bottom:
#
# - **requests unfinished at once**: received by the server and not yet answered to the end
# - **forward passes at one instant**: how many are being computed side by side
# - **rows in a pass**: how many requests share one forward pass
#
# **Guess** all three for ten callers who come at the same moment and want ten tokens each.

# %%
my_guess = "… / … / …"

# %%
ten = run(callers=10, tokens=10)
print("your guess:", my_guess)
picture = timeline(
    ten.events, "Ten callers: one after the other", ten.whose, asked=ten.answers, loop=True
)
show(picture, alt="Ten rows like a staircase: each computes when the one above has ended.")

# %% [markdown]
# 1 / 1 / 1. One pass at a time was to be expected, with one request in it. But the first number
# is 1 as well, although ten clients wait. Each of them sent its request at the start (the
# circle), and the server received it when those before were done, where the black bar begins.
# Until then the request lay in the operating system, which keeps a connection until
# the program takes it. The server does not know that anybody waits, so it can neither count them
# nor refuse them nor choose among them.

# %% [markdown]
# ## Two escapes
#
# "Put the work in a thread" is what everybody tries first. There are two ways. Many frameworks
# run a handler that is a plain `def` in a thread of a pool. And a handler that is `async def` can
# say `await asyncio.to_thread(generate, …)`.
#
# **Guess** for each: when does `/health` answer? How many KV caches are held at once, where the
# handler on the loop held one?

# %%
escapes = {
    "on the loop": ten,
    "plain def": run(callers=10, tokens=10, wrong="escape_plain_def"),
    "to_thread": run(callers=10, tokens=10, wrong="escape_to_thread"),
}
print(table(escapes))

# %%
escape = escapes["to_thread"]
picture = timeline(
    escape.events, "to_thread: many at once, and nobody decides how many", escape.whose,
    asked=escape.answers, loop=True,
)  # fmt: skip
show(picture, alt="Rows overlap: several requests are computed at the same time.")

# %% [markdown]
# `/health` answers at once: the loop is free, its row is empty. (On the loop, it waited for all
# callers that were taken up before it.) And the last answer comes much sooner. Is this not the
# solution?
#
# Look at what it is made of. The scripted core *sleeps* through its passes, and sleepers do not
# disturb each other. A real pass computes. Ten of them at one instant share the same processor, and
# threads keep no more cores busy than there are: [waiting](ch00b_waiting.ipynb) counted them.
#
# And count the KV caches. One has become as many as there are callers, up to the number of threads
# in the pool: `to_thread` has a few more than the machine has cores, a plain `def` has forty.
# Neither number knows how much memory a cache takes.
#
# Nobody owns the model any more. There is no place where somebody could decide who computes next,
# stop a generation whose client has left, or put several requests into one pass, which is what
# makes a GPU worth its price. The trouble has moved.
#
# What is wanted is *one owner* of the model, beside the loop, and a pipe between the two: requests
# go in, replies come out.

# %% [markdown]
# ## What the handler is given: ASGI
#
# The exercise is written against **ASGI**, the way in which Python servers call an application.
# uvicorn, such a server, listens on the socket, reads the bytes, and makes one call for each
# request: `await app(scope, receive, send)`. That is the whole interface. So you can call an app
# by hand.
#
# **Guess.** The client sends `{"prompt": "Hi"}`. How often must the app call `receive`?


# %%
async def app(scope, receive, send):
    body, more = b"", True
    while more:
        message = await receive()
        print("received", message)
        body, more = body + message["body"], message["more_body"]
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d bytes, thank you" % len(body)})


# %%
def piece(body, more):
    return {"type": "http.request", "body": body, "more_body": more}


pieces = iter([piece(b'{"prompt"', True), piece(b"", True), piece(b': "Hi"}', False)])


async def receive():
    return next(pieces)


async def send(message):
    print("sent    ", message)


await app({"type": "http", "method": "POST", "path": "/v1/completions"}, receive, send)

# %% [markdown]
# As often as it takes. The network cuts a body where it likes, a piece may be empty, and only
# `more_body` says whether another one follows. Once it is false, `receive` has one thing left to
# report: `{"type": "http.disconnect"}`, when the client leaves. An app that asks once too often
# waits for that.
#
# `scope` holds what came before the body: method, path, headers. `send` takes the reply in two
# parts, the start and the body. The library Starlette has a `JSONResponse(…)`, which is an app
# itself, and does this when it is called with the three.

# %% [markdown]
# ## The exercise
#
# The files are in `chapters/ch01_http`, and the [lab sheet](../chapters/ch01_http/README.md) there
# has them on one page.
#
# | Task | File | You write | Points |
# |---|---|---|---|
# | 1.1 | `body.py` | the body, out of its pieces | 15 |
# | 1.2 | `requests.py` | a checked request, or an error that names the field | 20 |
# | 1.3 | `answers.py` | the JSON answer, with true counts | 20 |
# | 1.4 | `handler.py` | the handler: where HTTP meets the model | 25 |
# | 1.5 | `harden.py` | a rule that tells right servers from wrong ones | 20 |
#
# Write a task, save the file, run this cell. A hint is one command away: `make hint-1.1`.

# %%
check(1)

# %% [markdown]
# As soon as a task has full marks, the experiments above run on your file in place of the
# reference's, and the figures say so below (servers that are wrong on purpose stay ours). Nothing
# has to be restarted here: each `serve` starts a new process, which reads the files anew.
# `use("reference")` goes back to ours, `use("mine")` takes yours, finished or not.

# %% [markdown]
# ## Quiz
#
# **1.** Your program calls `generate(core, request)`. Another one sends the request over HTTP.
# Name two things that the second must be prepared for and the first need not.
#
# <details><summary>Answer</summary>
#
# That nobody answers: the address may be wrong, the server not running, the connection lost. That
# the answer is a refusal: a status with an explanation, in place of a result. Also, all that it
# passes must be bytes: no tensor, no object, no open file goes along. The call in the same
# program gets a Python object or an exception, and brings a copy of the weights with it.
#
# </details>
#
# **2.** Must a client be a browser?
#
# <details><summary>Answer</summary>
#
# No. This notebook was the client all along. Whatever opens a connection and writes a request is
# one, also another server.
#
# </details>
#
# **3.** Where would you look to learn on which GPU an answer was computed: request line, headers,
# body?
#
# <details><summary>Answer</summary>
#
# In none of them. The same bytes were answered by a real model and by the scripted core. HTTP says
# how the message is built, the API which fields there are; how the answer is computed is the
# server's own affair.
#
# </details>
#
# **4.** A chat has gone back and forth ten times. Roughly, how do the prompt tokens of the
# eleventh request compare with those of the first?
#
# <details><summary>Answer</summary>
#
# All turns so far are in it, so it is as long as the whole conversation. The server remembers
# nothing; the client sends the history. (Servers may keep the keys and values of a prompt's
# beginning for reuse. That saves computing, and changes nothing in what must be sent.)
#
# </details>
#
# **5.** A client sends `"max_tokens": 300` and gets 41 tokens with `finish_reason: "stop"`. Did
# the server cheat?
#
# <details><summary>Answer</summary>
#
# No. The number is a ceiling. The model produced its end token as the 41st.
#
# </details>
#
# **6.** A handler says `async def` and calls `time.sleep(2)`. Ten callers come. After how long has
# the last its answer? And with `await asyncio.sleep(2)`?
#
# <details><summary>Answer</summary>
#
# After about 20 seconds: the loop stands still in each sleep. With the other, after about 2: the
# loop leaves each at its `await` and takes up the next.
#
# </details>

# %% [markdown]
# ## Closing exercise
#
# A friend shows you this request and asks what each part is for: *"What do the method, the path,
# the headers and the body hold? What do `messages` and `stream` express, and what do they leave
# to the server?"* Answer in eight sentences or fewer, for somebody who has never seen one.

# %%
QUESTION = {"messages": [FRANCE, PARIS, ITALY], "stream": True, "max_tokens": 60}
print(labelled(request_bytes(QUESTION, CHAT)))

# %% [markdown]
# <details><summary>A model answer</summary>
#
# The method, `POST`, says that something is handed over to be worked on; the path says which of
# the server's services is meant. The headers describe the message itself: for which host it is,
# that the body is JSON, how many bytes it has. A blank line ends them. The body is the question,
# in the fields that this API defines. `messages` holds the conversation so far, in order, each
# turn with the role of its speaker; the server remembers none of it and needs all of it.
# `stream` asks that the answer be sent piece by piece while it is made; the model reads and
# computes the same. `max_tokens` is the most that may be generated. How it is computed, on what,
# and beside whom, is left to the server.
#
# </details>

# %% [markdown]
# ## What is still wrong
#
# One request holds up everybody, and threads only move the trouble. One owner of the model, with
# a pipe to it, would free the loop. But then the replies of many requests come out of one pipe,
# mixed: whose is which? That must be solved first, in
# [chapter 2](ch02_request_ids.ipynb).
