"""What is refused is a table: when, which status, which field, which word, what is said."""

from contextlib import contextmanager

from pydantic import TypeAdapter, ValidationError

from chapters.core import ApiError, Body, explain

SCHEMA = TypeAdapter(Body)


@contextmanager
def _told_to_the_client():
    try:
        yield
    except ValidationError as error:
        raise ApiError(400, *reversed(explain(error))) from error


def _refusals(fields, served, streaming):
    other = fields.model is not None and fields.model != served
    yield other, (404, "model", "model_not_found", f"model {fields.model} is not {served}")
    yield fields.stream > streaming, (400, "stream", None, "stream: not before chapter 4")


def parse_request(body, served, *, streaming=False):
    with _told_to_the_client():
        fields = SCHEMA.validate_json(bytes(body))
    for refused, (status, param, code, message) in _refusals(fields, served, streaming):
        if refused:
            raise ApiError(status, message, param=param, code=code)
    return fields.checked()
