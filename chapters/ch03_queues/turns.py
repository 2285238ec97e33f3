"""Task 3.1: taking turns. One token for each running request, then again from the first.

Messages in, replies out: no thread, no queue, no lock, no event loop. Whoever calls `turn`
decides when anything happens.
"""

from __future__ import annotations

from collections.abc import Callable

from chapters.core import (
    Abort,
    Core,
    Failure,
    Generation,
    GenerationRequest,
    Reply,
    TextDecoder,
    WholeText,
)


class Turns:
    """The requests that are being computed.

    core: computes; new_text: makes the text decoder of each request, for `Generation`.
    running: uid → its generation, the oldest first; refused: what the next turn has to say to
    requests that did not fit.
    """

    def __init__(self, core: Core, new_text: Callable[..., TextDecoder] = WholeText):
        self.core, self.new_text = core, new_text
        self.running: dict[str, Generation] = {}
        self.refused: list[Reply] = []

    @property
    def busy(self) -> bool:
        """True while a call of `turn` has something to compute or to say."""
        raise NotImplementedError("Task 3.1: taking turns")

    def receive(self, message: GenerationRequest | Abort) -> None:
        """Take a request up. Makes no forward pass.

        `Generation(core, request, new_text)` raises ValueError for a request that does not fit.
        That is not raised on: the next turn says so, in a reply whose error is
        `Failure("invalid_request", message)`. Any other exception is not the client's fault and
        passes through: the worker tells the client. An Abort is not understood before chapter 5,
        and is ignored.
        """
        raise NotImplementedError("Task 3.1: taking turns")

    def turn(self) -> list[Reply]:
        """One step of every running request, in the order in which they came; their replies.

        Those of refused requests may stand anywhere among them. One whose step raises an
        Exception, whichever it is, ends with a reply whose error is `Failure("server_error", …)`,
        without a finish reason; the step is not tried again, and the others go on. Whoever has had
        its last reply is not running any more, and its generation is closed.
        """
        raise NotImplementedError("Task 3.1: taking turns")

    def step(self, uid: str) -> Reply:
        """One step of one running request, for `turn`, which alone calls it.

        How the two share what `turn` promises, or whether you need this one, is up to you.
        """
        raise NotImplementedError("Task 3.1: taking turns")

    def drop(self, uid: str) -> None:
        """Stop computing a request and close its generation, which gives its KV cache back.

        It gets no further reply. One that is not running is dropped already: nothing is raised.
        Whether one that was refused is still told so is up to you.
        """
        raise NotImplementedError("Task 3.1: taking turns")
