"""The worker: one thread that owns the model, and its inbox. Given.

It moves messages in and replies out, and knows nothing of HTTP or of how turns are taken.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator

from chapters.core import Abort, Failure, GenerationRequest, Reply
from chapters.core.trace import record

STOP = object()
log = logging.getLogger(__name__)


class Worker:
    """Runs `turns` in a thread of its own.

    turns: receives messages, is `busy` or not, takes a `turn()`, and can `drop(uid)`.
    running: uids that were taken up and have neither ended nor been aborted.
    tokens, aborted: counts since the start.
    """

    def __init__(self, turns):
        self.turns = turns
        self.inbox: queue.SimpleQueue = queue.SimpleQueue()
        self.running: set[str] = set()
        self.tokens = self.aborted = 0
        self.thread: threading.Thread | None = None

    def put(self, message: GenerationRequest | Abort) -> None:
        """Leave a message for the worker. Any thread; never waits."""
        record("abort asked" if isinstance(message, Abort) else "submitted", message.uid)
        self.inbox.put(message)

    def start(self, post: Callable[[list[Reply]], None], died: Callable[[str], None]) -> None:
        """Begin to work. `post` gets each turn's replies; `died` is told why, if it ends badly.

        Both are called from the worker's thread.
        """
        self.thread = threading.Thread(target=self._run, args=[post, died], name="worker")
        self.thread.daemon = True
        self.thread.start()

    def stop(self) -> None:
        """End after the turn under way; returns when the thread has ended."""
        self.inbox.put(STOP)
        self.thread.join()

    def _run(self, post, died) -> None:
        try:
            while True:
                for message in self._messages():
                    if message is STOP:
                        return
                    self._receive(message, post)
                if self.turns.busy:
                    post(self._account(self.turns.turn()))
        except BaseException as error:
            log.exception("the worker has died")
            died(f"{type(error).__name__}: {error}")
        finally:
            while self.running:  # nobody computes them any more
                uid = self.running.pop()
                try:
                    self.turns.drop(uid)
                except Exception:
                    log.exception("a request could not be dropped")

    def _messages(self) -> Iterator:
        """All messages there are; waits for one only if there is nothing else to do."""
        if not self.turns.busy:
            yield self.inbox.get()
        while not self.inbox.empty():
            yield self.inbox.get()

    def _receive(self, message, post) -> None:
        """Hand a message on. One that cannot be handled ends that request, and no other."""
        aborts = isinstance(message, Abort)
        try:
            self.turns.receive(message)
        except Exception as error:
            failure = Failure("server_error", f"{type(error).__name__}: {error}")
            post([Reply(message.uid, error=failure)])
            return
        if not aborts:
            self.running.add(message.uid)
            record("admitted", message.uid)
        elif message.uid in self.running:
            self.running.discard(message.uid)
            self.aborted += 1
            record("abort done", message.uid)

    def _account(self, replies: list[Reply]) -> list[Reply]:
        for reply in replies:
            self.tokens += reply.tokens
            if reply.last:
                self.running.discard(reply.uid)
        return replies
