"""A helper file of the student's own: one request as a Python generator of replies."""

from chapters.core import Failure, Generation, Reply


def failed(uid, kind, error):
    return Reply(uid, error=Failure(kind, f"{type(error).__name__}: {error}"))


def steps(core, request, new_text):
    """Yields one reply a step. Started at once, so that it holds its generation or its error."""
    try:
        generation = Generation(core, request, new_text)
    except ValueError as error:
        yield None
        yield failed(request.uid, "invalid_request", error)
        return
    try:
        yield None
        reply = generation.step()
        while not reply.last:
            yield reply
            reply = generation.step()
        yield reply
    except Exception as error:
        yield failed(request.uid, "server_error", error)
    finally:
        generation.close()
