# %% [markdown]
# # The path of a request
#
# > You type a question into a chat window and press Enter. After a moment the answer begins, word
# > after word. What has happened in that moment, and who did it?
#
# You have written a program that generates text: a forward pass, a loop that samples, a KV cache.
# This course turns it into a service. This lesson shows the finished one at work: one real
# request, through a real model, from your keyboard and back. It takes about 45 minutes.
#
# **How to use these lessons.** Before each experiment stands a **guess**. Make it, in your head
# or on paper; a number that surprises you is remembered. Then run the cell (Shift+Enter) and read
# on. Every server is started in one line, as a program of its own, and ends with its `with`
# block, so you may run any cell again at any time.
#
# On Colab, put a cell above the first one, with `!git clone` and the address of this repository,
# and `%cd` into its folder `notebooks`.

# %%
from time import perf_counter

from start import *

import torch

from chapters.core import GenerationRequest, Message, Sampling, generate
from chapters.core.loading import load
from chapters.lessons import stages
from chapters.lessons.programs import Website, application, megabytes
from chapters.lessons.wire import labelled

# %% [markdown]
# ## A call in your own program
#
# First without any server. This notebook is a Python program; it loads the model and calls a
# function. What you have written (the model, the tokenizer, the loop that samples) is one object
# here, the **core**.

# %%
torch.set_num_threads(1)  # one core of the processor is enough here
began = perf_counter()
core = load()
print(f"loading took {perf_counter() - began:.1f} s")

question = [Message("user", "What is the capital of France?")]
began = perf_counter()
work = GenerationRequest("mine", core.encode(question), Sampling(max_tokens=24))
replies = list(generate(core, work))
print(f"answering took {perf_counter() - began:.1f} s: {replies[-1].text!r}")

# %% [markdown]
# That works, and for one person at one keyboard it is enough. The arguments are Python objects,
# the result is one, and if something goes wrong an exception tells where.
#
# But only this program can ask. A web page, a phone, a colleague cannot call a Python function in
# your notebook. Each program that wants answers in this way has to load the model itself.
#
# ## One service, many applications
#
# Now the same model as a **service**: one program that has loaded it, and that others ask over
# **HTTP**. Two applications ask it here, each a program of its own, and both very small: open
# `chapters/lessons/application.py` to see one.
#
# **Guess.** The weights of this model have 135 million parameters of two or four bytes. How much
# memory does the server need? How much does each application need?
#
# The next cell also does two more things, which we look at later: it loads a page from a website,
# and sends one request whose every step we follow.

# %%
HELLO = {"role": "user", "content": "Say hello."}
ASKED = {"messages": [HELLO], "max_tokens": 6, "temperature": 0, "stream": True}
request = request_bytes(ASKED, "/v1/chat/completions")

# chapter 5's server; model=None: with the model that was loaded above
with serve(5, model=None, threads=1) as server:
    followed = raw(server, request)  # send these bytes, take all that comes back
    questions = ["What is the capital of France?", "What is the capital of Italy?"]
    # both at the same time
    applications = together([lambda q=q: application(server, q) for q in questions])
    with Website(server) as website:
        page = raw(website, request_bytes(b"", "/", "GET"))
    memory = {"this notebook, with its model": megabytes()}
    memory["the server, with its model"] = megabytes(server.process.pid)

# %%
for number, done in enumerate(applications, 1):
    print(f"application {number} got {done['answer']!r}")
    memory[f"application {number}"] = done["megabytes"]
weights = sum(p.numel() * p.element_size() for p in core.model.parameters()) / 1e6
print(f"\nthe weights are {weights:.0f} MB, on the {core.model.device.type}")
for name, size in memory.items():
    print(f"{name:31} {size:6.0f} MB")

# %% [markdown]
# Whoever loads the model carries a copy of the weights. The two applications carry none: they
# hold a question and an answer. With a model a hundred times as large, this is the difference
# between one GPU and one GPU for each application. (If the weights are on a GPU, they are not
# part of these numbers, and the libraries alone are what you see.)
#
# **One running service, one copy of the weights, many applications.** What it costs: the question
# must travel as bytes, and an answer may fail to come. HTTP is the agreement about what these
# bytes look like.

# %% [markdown]
# ## Client and server
#
# The website is a program that shows a page, and asks our service for the words on it. Your
# browser would ask the website; here the notebook does. (A *port* is the number under which a
# program can be reached on its machine; status 200 means that all went well.)
#
# **Guess.** Is the website a client or a server?

# %%
print("notebook, as a client: sent GET / and got", page.body.decode(), end="\n\n")
for line in website.told:
    print("website,", line)

# %% [markdown]
# Both. **Client** and **server** are roles. Whoever opens the connection and asks is the client;
# whoever listens and answers is the server. One program may be the one towards the left and the
# other towards the right, and the machine has no say in it: all programs in this lesson run on
# yours.

# %% [markdown]
# ## Seven stages
#
# This is what a request goes through. The names are responsibilities. Some of them share a
# program or a thread, and which do differs from server to server.
#
# | | Stage | Its responsibility | In → out |
# |---|---|---|---|
# | 1 | client | asks, waits, shows | a question → bytes |
# | 2 | API server | speaks HTTP; checks; refuses what is wrong | bytes → messages, settings |
# | 3 | tokenizer | text to numbers | messages → token ids |
# | 4 | scheduler | decides which requests compute next | waiting requests → the next pass |
# | 5 | engine | the forward pass, sampling, the KV cache | ids → one more id |
# | 6 | detokenizer | numbers to text | ids → text that may be shown |
# | 7 | API server and client | the way back, to the right caller | text → bytes → text |
#
# You have written stage 5. Let us walk the others by hand, with the request that was sent above.
#
# **Stages 1 and 2.** The client writes bytes, and the API server takes them apart again.

# %%
print(labelled(request))

# %% [markdown]
# [Chapter 1](ch01_a_bare_http_handler.ipynb) reads them line by line. What matters now is the
# last part: the list `messages`.
#
# **Stage 3.** **Guess:** how many tokens will `Say hello.` be, for the model?

# %%
conversation = [Message(HELLO["role"], HELLO["content"])]
ids = core.encode(conversation)
print("'Say hello.' alone:", len(core.encode("Say hello.")), "tokens")
print("as a conversation: ", len(ids), "tokens, which say\n")
print(core.tokenizer.decode(ids))

# %% [markdown]
# The model reads a *transcript*. The chat template writes down who speaks, with special tokens as
# marks, and ends with the cue for the assistant. This model's template also adds a system message
# if there is none.
#
# **Stage 4** has nothing to choose: one request, so it is next. From chapter 3 on it has.
#
# **Stages 5 and 6.** Each round of the loop makes one forward pass, which gives one id; `decode`
# makes text of all ids so far.

# %%
tokens, so_far = core.generate(ids, Sampling(max_tokens=4)), []
for token in tokens:
    so_far.append(token)
    print(f"id {token:6}  text so far {core.decode(so_far)!r}")
tokens.close()

# %% [markdown]
# **Stage 7** sends the new text back. Then the engine goes on. Stages 5, 6 and 7 repeat for each
# token, until the model says that it is done or no more tokens are allowed.

# %% [markdown]
# ## A token is not yet text
#
# Why is the detokenizer a stage of its own? Is it not a table, from id to piece of text?
#
# **Guess.** How many tokens is the emoji 👋? Which of them would you show?

# %%
emoji = core.encode("Grüße 👋")
for number, token in enumerate(emoji, 1):
    alone, so_far = core.decode([token]), core.decode(emoji[:number])
    print(f"id {token:6}  alone {alone!r:8} all so far {so_far!r}")
end = min(core.stop_ids)
print(f"id {end:6}  alone {core.decode([end])!r:8} the end of an answer")

# %% [markdown]
# Three; the first of them also holds the space. The tokens are pieces of *bytes*. A character of
# several bytes may be spread over several tokens, and half a character is no text: it decodes to
# `�`. Whoever sent the pieces on one by one would send rubbish. The end token is a token like any
# other, costs a pass, and has no text at all.
#
# So the engine has produced a token, and the client may have nothing to show yet. Chapter 4
# builds the part that knows how long to wait.

# %% [markdown]
# ## The trace
#
# The server notes what happens to each request, and when. Here is the request that we sent, as
# the server's trace and the client's own notes tell it, in order. `sent` and `read` are the
# client's notes; the times are milliseconds since it began to send.
#
# **Exercise: label the lines.** Put the number of a stage, 1 to 7, behind each kind of line, and
# run the cell. Two stages leave no line of their own; where they must have been at work it says
# `(between)`. What the words mean:
#
# - `received`: the head of the request has come in
# - `submitted`: the prompt's ids were handed to the thread that owns the model
# - `admitted`: that thread has taken the request up
# - `prefill`, `decode`: a forward pass begins, over the prompt or over one token; `token`: it ends
# - `delivered`: a reply has reached the part that speaks HTTP
# - `answered`: the status has left; `finished`: the last byte has left
# - `kv freed`: the request's KV cache is gone
#
# Two programs write these notes, so two lines of the same millisecond may stand in either order.

# %%
my_labels = {
    "sent": None, "received": None, "(between) 1": None, "submitted": None, "admitted": None,
    "prefill": None, "decode": None, "token": None, "(between) 2": None, "delivered": None,
    "answered": None, "read": None, "kv freed": None, "finished": None,
}  # fmt: skip
lines = stages.story(followed, server.watch)
stages.label(lines, my_labels)

# %% [markdown]
# <details><summary>The labels</summary>
#
# | Line | Stage |
# |---|---|
# | `sent` | 1, client |
# | `received` | 2, API server |
# | `(between) 1` | 3, tokenizer: messages came in, ids are handed on |
# | `submitted` | 2, the API server hands over (or 4, the scheduler's inbox gets it) |
# | `admitted` | 4, scheduler |
# | `prefill`, `decode`, `token`, `kv freed` | 5, engine |
# | `(between) 2` | 6, detokenizer: an id came out of the pass, a text arrives |
# | `delivered`, `answered`, `finished`, `read` | 7, the way back |
#
# </details>
#
# The same as a picture. (The dots of stages 3 and 6 stand half-way between two lines of the trace:
# nobody noted the moment. The last line says whose files ran; "the reference's" are the course's.)
#
# **Guess** before you look: which stage takes the most time?

# %%
words = [repr(core.decode([event.data["token"]])) for event in server.watch.of("token")]
picture = stages.draw(followed, server.watch, words, server.whose)
show(picture, alt="A line falls through stages 1 to 5. From each pass's end one falls to 7.")
print(f"forward passes were under way for {stages.share(followed, server.watch):.0%} of the time")

# %% [markdown]
# The way down is walked once. It ends in the first pass, the prefill, which reads the whole
# prompt. Then a token comes out, becomes text, goes back, and the next pass begins: a round for
# each token. The client reads its first words long before the last pass has begun.
#
# Nearly all the time is the engine's. The other stages are short, and yet they decide what users
# get: whether a wrong request is refused at once or crashes the engine; whose answer goes to whom;
# who has to wait for whom; when the first word is seen; what becomes of an answer that nobody
# waits for any more. These are the chapters of this course.
#
# | Chapter | What it adds | Stages |
# |---|---|---|
# | 1 | an HTTP handler | 1, 2, 7 |
# | 2 | request ids: every reply finds its owner | 2, 7 |
# | 3 | a worker with queues: the network is kept apart from the model | 4 |
# | 4 | streaming | 6, 7 |
# | 5 | cancellation | all, backwards |

# %% [markdown]
# ## Quiz
#
# **1.** Who turns the text of a request into token ids? Who decides which request computes next?
#
# <details><summary>Answer</summary>
#
# The tokenizer (after the chat template has made one text of the messages); the scheduler. In the
# trace, the first works between `received` and `submitted`, the second says `admitted`.
#
# </details>
#
# **2.** The engine has just produced a token. Does the client have text to show?
#
# <details><summary>Answer</summary>
#
# Not necessarily. It may be a part of a character, or the end token, which has no text. And what
# is text must still travel back.
#
# </details>
#
# **3.** A phone app asks a company's web server, which asks an inference service, which asks
# nobody. Who is a client, who is a server?
#
# <details><summary>Answer</summary>
#
# The app is a client. The web server is a server to the app and a client of the service. The
# service is a server. They are roles in an exchange; one machine could play all of them.
#
# </details>
#
# **4.** Three applications on one machine use the same service. How many copies of the weights
# are in memory? And if each calls the model as a function of its own?
#
# <details><summary>Answer</summary>
#
# One; three.
#
# </details>
#
# **5.** Must each stage be a program of its own?
#
# <details><summary>Answer</summary>
#
# No. They are responsibilities. In this server stages 2 and 7 run in one thread and 4, 5 and 6 in
# another one, of the same program; 3 runs in a third. Other servers make processes of them.
#
# </details>
#
# **6.** How do a call of a local function and a request to a service differ for the program that
# makes it?
#
# <details><summary>Answer</summary>
#
# The local call passes objects, needs the weights in its own memory, and returns or raises. The
# request passes bytes in an agreed form, needs no weights, and may also be refused, delayed or
# lost: the answer is a status with a body, or none.
#
# </details>

# %% [markdown]
# ## Closing exercise
#
# A colleague has a notebook that generates text and asks: *"It works. Why should I make a service
# of it? And what would the client, the server and HTTP each do?"* Then: *"What happens to a
# request on its way there and back?"* Answer both, in ten sentences or fewer.
#
# <details><summary>A model answer</summary>
#
# Only the notebook itself can call its function, and every further program would have to load the
# weights again. As a service the model is loaded once, and any program on any machine may ask.
# The client opens a connection, sends a question and waits; the server listens, computes and
# answers; HTTP fixes how the bytes of both are laid out, and nothing else.
#
# The API server reads the request and checks it. The tokenizer makes ids of the text. The
# scheduler decides when the request gets a forward pass. The engine makes the passes, each of
# which gives one id and grows the KV cache. The detokenizer makes text of the ids as soon as they
# are text. The API server sends it to the client that asked, and the last three repeat until the
# answer ends.
#
# </details>

# %% [markdown]
# ## What comes next
#
# You have seen the finished service. The next lessons build it from nothing. If you have not
# worked with event loops and threads, read [waiting](ch00b_waiting.ipynb) first. Then
# [chapter 1](ch01_a_bare_http_handler.ipynb) puts a handler in front of the model, and the first
# thing that goes wrong is that everybody waits.
