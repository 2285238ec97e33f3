"""A gate in front of a forward pass's end: who holds it decides what happens meanwhile."""

from __future__ import annotations

import threading


class Gate:
    """Lets passes through, all of them or by permits. Any thread may call anything.

    closed: passes wait from the beginning; otherwise from `hold` on.
    """

    def __init__(self, closed: bool):
        self._open, self._permits = not closed, 0
        self._changed = threading.Condition()

    def hold(self) -> None:
        """Let no pass end any more; permits that nobody has used are taken back."""
        with self._changed:
            self._open, self._permits = False, 0

    def allow(self, passes: int = 1) -> None:
        """Let this many forward passes end, of those that wait and those to come."""
        with self._changed:
            self._permits += passes
            self._changed.notify_all()

    def open(self) -> None:
        """Let every pass end, now and from now on."""
        with self._changed:
            self._open = True
            self._changed.notify_all()

    def pass_gate(self) -> None:
        """What a pass does at its end: waits until it may."""
        if self._open:
            return
        with self._changed:
            self._changed.wait_for(lambda: self._open or self._permits)
            self._permits = max(0, self._permits - 1)
