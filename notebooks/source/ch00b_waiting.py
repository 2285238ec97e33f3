# %% [markdown]
# # Waiting: one loop, a thread, a queue and a lock
#
# > A thousand people have a chat window open. At any moment nearly all of them wait: for the next
# > word, for the network, for an idea. How can *one* program wait for a thousand people at once,
# > and still compute for one of them?
#
# This lesson builds an event loop out of generators, then looks at threads, at the queue between
# two of them, and at the lock that Python's threads share. No model is needed. You know Python
# and PyTorch; nothing else is assumed. It takes about 45 minutes.

# %%
import asyncio
import heapq
import sys
import threading
from itertools import count
from queue import SimpleQueue
from statistics import median
from time import perf_counter, sleep

from start import *

from chapters.lessons import waiting
from chapters.lessons.waiting import (
    Diary, busy, compute, judge, standstill, steps_beside, woken_after,
)  # fmt: skip

# %% [markdown]
# ## Three guests, one after the other
#
# A guest computes for 50 ms, then waits 150 ms for something outside the program, and does this
# twice. `sleep` stands for the waiting. The `diary` notes who computed when.
#
# **Guess:** how long do three such guests take, one after the other? For how much of that time
# does the program compute?

# %%
diary = Diary()
for name in "ABC":
    for _ in range(2):
        diary.compute(name, 0.05)
        sleep(0.15)
after_another = diary.elapsed()
picture = diary.draw("One after the other", after_another)
show(picture, alt="Three rows; each begins when the last has ended.")
print(f"{after_another:.2f} s, of which {3 * 2 * 0.05:.2f} s are computing")

# %% [markdown]
# Most of the time nothing is done. While A waits, B could compute. But A's wait is a call of
# `sleep`, and a call returns when it is finished. What is missing is a function that can be
# *left* while it waits, and taken up again later.

# %% [markdown]
# ## A function that can be left
#
# Python has had one for a long time: the generator. **Guess** in which order the five lines are
# printed.


# %%
def guest(name):
    print(name, "computes")
    yield 0.15
    print(name, "goes on")


a = guest("A")
print("made, and nothing has run yet")
print("A says that it wants to wait for", next(a), "s")
print("anybody else may run here")
next(a, None)

# %% [markdown]
# Calling `guest("A")` runs nothing. `next(a)` runs it up to its `yield`, and hands over what
# stands behind `yield`. The generator is then paused in the middle, with all its variables. The
# next `next` goes on from there.
#
# So a generator can say "wake me in 0.15 seconds" and give the processor back. Somebody has to
# listen.

# %% [markdown]
# ## An event loop
#
# This is all of it: a list of alarms, and a loop that sleeps until the first of them, then runs
# that task up to its next `yield`.

# %%
DONE = object()


class Loop:
    def __init__(self):
        self.alarms, self.numbers = [], count()

    def wake(self, task, delay=0):
        heapq.heappush(self.alarms, (perf_counter() + delay, next(self.numbers), task))

    def run(self):
        while self.alarms:
            when, _, task = heapq.heappop(self.alarms)  # whose alarm rings first
            sleep(max(0, when - perf_counter()))  # nobody can go on before that
            wish = next(task, DONE)  # it runs, up to its next yield
            if wish is not DONE:
                self.wake(task, wish)


# %% [markdown]
# (A heap keeps the earliest alarm in front. The number decides between two that ring at the same
# time, since generators cannot be compared.)
#
# **Guess:** the same three guests on this loop: how long now? How many of them compute at the
# same instant?


# %%
def guest(name, diary):
    for _ in range(2):
        diary.compute(name, 0.05)
        yield 0.15


loop, diary = Loop(), Diary()
for name in "ABC":
    loop.wake(guest(name, diary))
loop.run()
on_loop = diary.elapsed()

# %%
picture = diary.draw("On the loop: the waits overlap", after_another)
show(picture, alt="Three rows whose bars never overlap, and whose waits do.")
print(f"{on_loop:.2f} s in place of {after_another:.2f} s")

# %% [markdown]
# The waits overlap; the bars do not. There is one thread, so one guest computes at a time, and
# the others are paused. This is **concurrency**: three are under way, one is being worked on.
#
# The loop never interrupts anybody. It gets control back when a guest yields, and not before.
# **Guess** what happens if B waits with `sleep(0.15)`, as an ordinary function would.


# %%
def rude_guest(name, diary):
    for _ in range(2):
        diary.compute(name, 0.05)
        sleep(0.15)
        yield 0


loop, diary = Loop(), Diary()
for name, kind in [("A", guest), ("B", rude_guest), ("C", guest)]:
    loop.wake(kind(name, diary))
loop.run()
with_rude = diary.elapsed()

# %%
picture = diary.draw("B does not yield", after_another)
show(picture, alt="While B waits nobody computes; the bars of A and C are late.")
print(f"{with_rude:.2f} s; with a B that yields it was {on_loop:.2f} s")

# %% [markdown]
# In B's waits nobody computes: there is a hole behind each of its bars. A and C have done nothing
# wrong and are late all the same. One guest that does not give way stops everybody. To the loop
# it makes no difference whether B sleeps, or computes, or asks a slow disk.

# %% [markdown]
# ## Waiting for the network
#
# Alarms are one thing to wait for. A server waits for *sockets*: for bytes to arrive. The system
# has a call for that, `select`: it sleeps until one of many sockets can be read, or until a time
# is up. With it, our loop learns a second kind of wish: a socket, meaning "wake me when there is
# something to read".

# %%
from select import select
from socket import create_connection


class NetLoop(Loop):
    def run(self):
        readers = {}  # socket → the task that waits for it
        while self.alarms or readers:
            # sleep until a socket can be read, or the first alarm rings (None: without end)
            pause = max(0, self.alarms[0][0] - perf_counter()) if self.alarms else None
            for socket in select(readers, [], [], pause)[0] if readers else ():
                self.wake(readers.pop(socket))  # it goes on at once
            # the rest as before, if an alarm has rung
            if self.alarms and (not readers or self.alarms[0][0] <= perf_counter()):
                when, _, task = heapq.heappop(self.alarms)
                sleep(max(0, when - perf_counter()))
                wish = next(task, DONE)
                if isinstance(wish, int | float):  # seconds
                    self.wake(task, wish)
                elif wish is not DONE:  # a socket
                    readers[wish] = task


# %% [markdown]
# Some thirty lines with its parent, and it can talk to real servers. Here it asks chapter 3's
# server three things at once, in one thread. In place of a model this server has a stand-in, which
# repeats what it was told and then counts; it makes 20 tokens a second, so an answer of ten takes
# half a second.
#
# **Guess:** how long do three answers take, if the server works for one of them at a time?


# %%
def customer(server, name):
    with create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(request_bytes({"prompt": name, "max_tokens": 10, "ignore_eos": True}))
        reads = []
        while True:
            yield connection
            reads.append(Read(perf_counter(), connection.recv(65536)))
            if not reads[-1].data:  # the server has closed: that was all
                break
    print(f"{perf_counter() - began:.2f} s  {Answer(began, reads).text!r}")


with serve(3, pace=20) as server:
    loop, began = NetLoop(), perf_counter()
    for name in ("Ann", "Bob", "Cem"):
        loop.wake(customer(server, name))
    loop.run()

# %% [markdown]
# Three requests were under way at once, and one thread held all three. It spent its time in
# `select`, asleep. Waiting costs a loop next to nothing, so it can wait for a thousand. (Why the
# three end together, although the server computes for one at a time, is chapter 3's subject.)

# %% [markdown]
# ## The same in Python's own words
#
# Python comes with such a loop, `asyncio`, and has words of its own for it.
#
# | here | asyncio | |
# |---|---|---|
# | `def guest` with `yield` | `async def guest` | a **coroutine function**; a call runs nothing |
# | `yield 0.15` | `await asyncio.sleep(0.15)` | leave, until it is time |
# | `yield connection` | `await` something that reads | leave, until there is something to read |
# | `loop.wake(task)` | `asyncio.create_task(…)` | a **task**: a coroutine that the loop runs |
# | `loop.run()` | `asyncio.run(…)`; in a notebook it runs already | the **event loop** |
#
# A notebook has a running loop, so `await` may stand in a cell as it is.


# %%
async def guest(name, diary):
    for _ in range(2):
        diary.compute(name, 0.05)
        await asyncio.sleep(0.15)


diary = Diary()
await asyncio.gather(*(guest(name, diary) for name in "ABC"))
print(f"asyncio: {diary.elapsed():.2f} s; our loop: {on_loop:.2f} s")

# %% [markdown]
# `gather` makes a task of each and waits for all.
#
# A coroutine may await another one, which awaits a third. A wish travels up through all of them
# to the loop. Generators do the same with `yield from`:


# %%
def rest(name):
    yield 0.1
    return f"{name} is back"


def guest(name):
    print((yield from rest(name)))


loop = Loop()
loop.wake(guest("A"))
loop.run()

# %% [markdown]
# ### Does every `await` give way?
#
# No. `await` leaves the function only if what it waits for is not ready. To see it, we need to
# see a loop stand still. `standstill` lets a heart beat on the loop every 5 ms, awaits what it is
# given, and returns the longest time between two beats.
#
# **Guess** for each line: a few ms, or about as long as the work takes?


# %%
async def nothing():
    pass


async def many_awaits():
    end = perf_counter() + 0.3
    while perf_counter() < end:
        await nothing()


async def blocking():
    sleep(0.3)


async def computing():
    compute(0.3)


# %%
tries = {
    "await asyncio.sleep(0.3)": asyncio.sleep(0.3),
    "sleep(0.3) in an async def": blocking(),
    "computing in an async def": computing(),
    "awaiting what is ready, for 0.3 s": many_awaits(),
    "await asyncio.to_thread(sleep, 0.3)": asyncio.to_thread(sleep, 0.3),
}
for name, work in tries.items():
    print(f"{name:38} the loop stood still for {1000 * await standstill(work):4.0f} ms")

# %% [markdown]
# **`async def` around a blocking call still blocks.** The word allows a function to be left at
# its awaits. It adds none, and an `await` on something that is ready leaves nothing.
#
# The last line is new: `to_thread` gave the same blocking call to a *thread*, and the loop went
# on.

# %% [markdown]
# ## A thread
#
# A thread is a second place where the same program runs, at the same time. It sees the same
# variables. The system decides when which of them runs, and may change its mind between any two
# steps.
#
# Two threads sell tickets. Selling is: look how many there are, write down one less. The barrier
# makes each of them look before either has written; without it that happens rarely, at the worst
# moment.
#
# **Guess:** 100 tickets, two sold. How many are left?

# %%
tickets, both_looked = 100, threading.Barrier(2)


def sell():
    global tickets
    seen = tickets
    both_looked.wait()
    tickets = seen - 1


sellers = [threading.Thread(target=sell) for _ in range(2)]
for seller in sellers:
    seller.start()
for seller in sellers:
    seller.join()  # wait until it has ended
print(tickets, "tickets left")

# %% [markdown]
# 99: two were sold, one was counted. Reading and writing are two steps, and somebody else came
# between them.
#
# **Guess:** can this happen on an event loop, where only one task runs at a time?


# %%
async def sell(leave):
    global tickets
    seen = tickets
    if leave:
        await asyncio.sleep(0)  # leave for one turn of the loop
    tickets = seen - 1


for leave in (False, True):
    tickets = 100
    await asyncio.gather(sell(leave), sell(leave))
    print(f"await between looking and writing: {leave!s:5} {tickets} left")

# %% [markdown]
# It can, and the source shows where: at an `await`, and nowhere else. Between two awaits a task
# has the loop to itself. This is why most of a server's book-keeping lives on the loop, without
# locks.

# %% [markdown]
# ## A queue
#
# Between threads there is a better way than sharing. Give the tickets to *one* thread, which
# owns them, and send it messages. `SimpleQueue` is made for that: any thread may `put`, any may
# `get`, and `get` sleeps until there is something. A message carries the queue for its reply.

# %%
inbox = SimpleQueue()


def owner():
    tickets = 100
    while (reply_to := inbox.get()) is not None:
        tickets -= 1
        reply_to.put(tickets)


def buy():
    mine = SimpleQueue()
    inbox.put(mine)
    return mine.get()


# %%
thread = threading.Thread(target=owner)
thread.start()
print("left after each sale:", sorted(together([buy] * 5)))  # five threads, each buys
inbox.put(None)  # the word for "go home"
thread.join()

# %% [markdown]
# Five threads bought at once, and no ticket was lost. `tickets` is a local variable of the owner:
# nobody else can touch it. Chapter 3 gives the model to such a thread.
#
# `get` blocks the thread that calls it. In the owner's thread that is right: it has nothing else
# to do. On the event loop it would be the rude guest.

# %% [markdown]
# ## The lock
#
# A thread counts as fast as it can, in Python. Meanwhile another one does something else.
#
# **Guess** for each of these how fast the counter gets on, compared with a neighbour who sleeps: a
# neighbour who multiplies matrices in PyTorch; one who runs a loop in Python; one who makes a
# single call, `sum(range(20_000_000))`. (Other programs disturb such numbers. Each is the middle
# one of five.)

# %%
import torch

torch.set_num_threads(1)  # one thread for each product, so that we see ours
matrix = torch.randn(512, 512)


def products():
    for _ in range(10):
        matrix @ matrix


def python():
    for number in range(500_000):
        number * number


# %%
neighbours = {
    "sleeps": lambda: sleep(0.3),
    "matrix products": lambda: [products() for _ in range(8)],
    "a loop in Python": lambda: compute(0.3),
    "one long call": lambda: sum(range(20_000_000)),
}
speed = {name: median(steps_beside(work) for _ in range(5)) for name, work in neighbours.items()}
for name, steps in speed.items():
    print(f"{name:17} the counter gets on at {steps / speed['sleeps']:4.0%} of its speed")
print(f"\nthreads that want to run Python take turns of {1000 * sys.getswitchinterval():.0f} ms")

# %% [markdown]
# Python has a lock, the **GIL** (global interpreter lock). A thread must hold it to run Python, so
# one thread runs Python at a time.
#
# - Whoever sleeps, or waits for the network, gives it away.
# - PyTorch gives it away when a computation begins and takes it back at its end. Meanwhile another
#   thread may run Python. (If the processor is short, the counter slows down for that reason.)
# - Two loops in Python share it, in turns, and each gets about half.
# - The single call is one step for Python. It is carried out in C, by code that keeps the lock to
#   the end, and the counter stands still.
#
# Nor does a second core help two threads of Python. To see it, count busy cores: processor time
# divided by time on the clock. **Guess** the number for two threads of each kind.

# %%
cores = {work: busy(work, threads=2) for work in (python, products)}
for work, number in cores.items():
    print(f"two threads, {work.__name__:9} {number:.1f} cores busy")
free = cores[products] > 1.3 * cores[python]
print("the products were computed at the same time" if free else
      "no second core was free just now: other programs had it; try again")  # fmt: skip

# %% [markdown]
# Two threads of Python never keep more than one core busy. Two threads of PyTorch keep two busy,
# if two are free. More threads than cores gain nothing more: no machine keeps more cores busy
# than it has.

# %% [markdown]
# ### What the loop feels of it
#
# So a thread beside the loop can hurt it in one way only: by holding the lock. **Guess** which of
# the four neighbours makes the loop stand still for long. (Of three tries, the shortest: what other
# programs do can only add to it.)

# %%
for name, work in neighbours.items():
    stood = [await standstill(asyncio.to_thread(work)) for _ in range(3)]
    print(f"{name:17} the loop stood still for {1000 * min(stood):3.0f} ms")

# %% [markdown]
# A thread that sleeps or multiplies does not hold the lock, and the loop hardly notices it. A
# loop in Python has to hand the lock over again and again. The single call does not, and
# `to_thread` is no help there.
#
# A model's forward pass is mostly computations without the lock, with some Python between them.
# That is why a thread is a good place for it.

# %% [markdown]
# ## A door for other threads
#
# The worker thread has computed a token, and a task on the loop waits for it, with `await
# event.wait()`. May the worker call `event.set()`?
#
# In this experiment the loop has nothing to do but an alarm half a second away, so it sleeps.
# **Guess** when the task wakes.

# %%
print(f"event.set():                            {woken_after(safely=False):.4f} s")
print(f"loop.call_soon_threadsafe(event.set):   {woken_after(safely=True):.4f} s")

# %% [markdown]
# `event.set()` changes a variable and puts the task on the loop's list. But the loop sleeps in
# `select`, and nobody wakes it: it finds the list when its alarm rings. On a server with no alarm
# set that may be never. And it is worse than slow: the loop's lists have no locks, because only
# one thread is meant to touch them.
#
# `call_soon_threadsafe` is the one door. It leaves the call for the loop's own thread, and wakes
# the loop (it writes a byte into a socket that the loop listens to).

# %% [markdown]
# ## Who may touch what, from where
#
# | What | on the event loop | in another thread |
# |---|---|---|
# | `asyncio`'s events, queues, tasks | yes | no; by `loop.call_soon_threadsafe` |
# | ASGI's `receive` and `send` (chapter 1: the way to the client) | yes | no |
# | a server's books, such as a dict | yes; no `await` between look and write | no; send a message |
# | `SimpleQueue.put`, `threading.Event.set` | yes | yes |
# | `SimpleQueue.get`, `threading.Event.wait`, `sleep` | no: they block | yes |
# | the model and its KV caches | no: a pass blocks | the one thread that owns them |
# | a value that never changes: text, number, tuple, frozen dataclass | yes | yes |
#
# Chapter 3 puts a loop and a thread together by this table. What crosses is values: into the
# worker through a `SimpleQueue`, out of it through `call_soon_threadsafe`.

# %% [markdown]
# ## Exercise
#
# `waiting.slow_model(question)` stands for a model: it blocks for 0.3 s and returns a text. Change
# `answer`, which serves one caller, so that the loop stays alive meanwhile.


# %%
async def answer(question):
    return waiting.slow_model(question)


await judge(answer)

# %% [markdown]
# <details><summary>Solution</summary>
#
# ```python
# async def answer(question):
#     return await asyncio.to_thread(waiting.slow_model, question)
# ```
#
# `to_thread` takes the function and its arguments; with `to_thread(waiting.slow_model(question))`
# the model would have run first, on the loop. Chapter 1 shows why this is not yet a way to run a
# model for many callers.
#
# </details>

# %% [markdown]
# ## Quiz
#
# **1.** Ten tasks each `await asyncio.sleep(1)`. Ten others each compute for one second, without
# an await. How long do the ten take in each case?
#
# <details><summary>Answer</summary>
#
# About one second, since the waits overlap; about ten, since one thread computes for one task at
# a time.
#
# </details>
#
# **2.** A handler reads `count = self.open`, then awaits the model, then writes `self.open = count
# + 1`. What goes wrong, and how is it mended without a lock?
#
# <details><summary>Answer</summary>
#
# Two handlers may both read before either writes, as with the tickets. Read and write with no
# `await` between: `self.open += 1` before awaiting.
#
# </details>
#
# **3.** A colleague runs the model in a thread and lets it call `queue.put_nowait(token)` on an
# `asyncio.Queue`. On a busy server it works. At night, with one user, tokens come late. Why?
#
# <details><summary>Answer</summary>
#
# The put does not wake the sleeping loop. On a busy server something else wakes it every moment;
# with one user nothing does. `loop.call_soon_threadsafe(queue.put_nowait, token)` is right at any
# time.
#
# </details>
#
# **4.** Is `await` in front of a call enough to keep the loop alive?
#
# <details><summary>Answer</summary>
#
# No. It gives way only if what is awaited has to wait for something. A coroutine that computes, or
# that returns at once, never gives the loop a turn.
#
# </details>
#
# **5.** A worker thread runs forward passes on a GPU. How much of that time can the event loop run
# Python?
#
# <details><summary>Answer</summary>
#
# While the thread waits for the device it does not hold the lock, and the loop has Python to
# itself. Only the Python that starts the computations competes, in turns of 5 ms. So for a large
# model it is nearly all of the time. For a small one, which the GPU has done as fast as Python can
# start it, it may be no more than about half.
#
# </details>

# %% [markdown]
# ## Closing exercise
#
# Somebody says: *"Python has the GIL, so threads are useless in a server. With asyncio everything
# runs in parallel."* In six sentences or fewer: what is right in it, and what is wrong?
#
# <details><summary>A model answer</summary>
#
# The lock lets one thread run Python at a time; so two threads of pure Python are no faster than
# one. But whoever waits, or computes inside PyTorch, does not hold it, so a thread that runs a
# model and a loop that serves the network get on well. asyncio runs nothing in parallel: it has
# one thread, in which one task runs while the others are paused. What overlaps is their waiting.
# For that it is very good; a single task that computes or blocks stops all others.
#
# </details>

# %% [markdown]
# ## What comes next
#
# [Chapter 1](ch01_a_bare_http_handler.ipynb) builds the first server, and its handler is a rude
# guest: it computes on the loop. You will see what its users see.
