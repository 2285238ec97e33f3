"""Task 2.3: who owns which reply.

One pipe carries the replies of all requests, in any order: A1 B1 B2 A2. The id in each reply
finds its owner. No I/O and no waiting.
"""

from __future__ import annotations

from collections.abc import Callable

from chapters.ch02_request_ids.ids import new_uid
from chapters.ch02_request_ids.state import RequestState
from chapters.core import Reply


class Registry:
    """The requests that are open.

    live: uid → state, of every request from `open` to `close`.
    discarded: how many replies found no owner.
    new_state: makes a request's state from its uid; later chapters keep more in it.
    """

    def __init__(self, new_state: Callable[[str], RequestState] = RequestState):
        self.new_state = new_state
        self.live: dict[str, RequestState] = {}
        self.discarded = 0

    def open(self) -> RequestState:
        """The state of a new request, made by `new_state` under a `new_uid`, now in `live`."""
        raise NotImplementedError("Task 2.3: who owns which reply")

    def deliver(self, reply: Reply) -> bool:
        """Give a reply to its owner, by `apply`, and to nobody else; True if that was done.

        A reply whose uid is not live, or whose owner is finished already, is late: it is counted
        in `discarded` and dropped, and False is returned. That is no error, and nothing is raised:
        its client has left. What `apply` raises is a fault, and passes through.
        """
        raise NotImplementedError("Task 2.3: who owns which reply")

    def close(self, uid: str) -> None:
        """Forget a request, finished or not. One that is not live is forgotten already: fine."""
        raise NotImplementedError("Task 2.3: who owns which reply")
