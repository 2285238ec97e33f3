"""Task 2.2: what is kept for one request while it is unfinished, and for no other.

No I/O and no waiting. The weights of the model are shared by all; this is not.
"""

from __future__ import annotations

from chapters.core import Reply


class RequestState:
    """One request's own: its id and the replies it has been given so far.

    uid: our id for it; replies: a list, in the order of arrival.
    """

    def __init__(self, uid: str):
        raise NotImplementedError("Task 2.2: what is kept for one request")

    def apply(self, reply: Reply) -> None:
        """Take one more reply of this request. None comes after its last: the registry's care."""
        raise NotImplementedError("Task 2.2: what is kept for one request")

    @property
    def finished(self) -> bool:
        """True once a reply has been taken that says that it is the last (`Reply.last`).

        The last one has a finish reason or an error; whether it has text says nothing.
        """
        raise NotImplementedError("Task 2.2: what is kept for one request")
