"""A request that is being computed, as a value that steps, fails and closes by itself."""

from __future__ import annotations

from dataclasses import dataclass

from chapters.core import Failure, Generation, Reply


def refusal(uid: str, error: Exception, kind: str = "server_error") -> Reply:
    """The last reply of a request that failed; no exception is kept, only its words."""
    text = str(error) if kind == "invalid_request" else f"{type(error).__name__}: {error}"
    return Reply(uid, error=Failure(kind, text))


@dataclass(slots=True)
class Seat:
    """One generation and who sits there."""

    uid: str
    generation: Generation

    def step(self) -> Reply:
        """The next reply; never raises an Exception."""
        try:
            return self.generation.step()
        except Exception as error:
            return refusal(self.uid, error)
