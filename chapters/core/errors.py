"""What may go wrong with a request, in the words and the shape that OpenAI's clients read."""

from __future__ import annotations

from chapters.core.messages import Failure


class ClientGone(Exception):
    """The client closed the connection: there is nobody left to answer."""


class ApiError(Exception):
    """An answer that says what was wrong.

    status: the HTTP status (RFC 9110), 400 to 599.
    message: one sentence for the person who reads it: the field, what came, what was expected.
    param: the field of the request that was wrong, if one was: "max_tokens", "messages[0].role".
    code: a word for programs, such as "model_not_found".
    """

    def __init__(
        self, status: int, message: str, param: str | None = None, code: str | None = None
    ):
        super().__init__(message)
        self.status, self.message, self.param, self.code = status, message, param, code

    @classmethod
    def of(cls, failure: Failure) -> ApiError:
        """The answer for a request that the backend could not finish."""
        status = 400 if failure.kind == "invalid_request" else 500
        return cls(status, failure.message, failure.param)

    def body(self) -> dict:
        """The JSON object that OpenAI's API sends for an error."""
        kind = "invalid_request_error" if self.status < 500 else "server_error"
        return {
            "error": {"message": self.message, "type": kind, "param": self.param, "code": self.code}
        }
