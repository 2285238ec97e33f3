"""Exceptions all the way: the schema's own validators are left to say what they think."""

from pydantic import ValidationError

from chapters.core import ApiError, Body, explain


class _Refused(ApiError):
    """An ApiError with its field in front."""

    def __init__(self, param, message, status=400, code=None):
        super().__init__(status, message, param, code)


def _model(fields, served):
    if fields.model in {None, served}:
        return fields
    message = f"model: there is no {fields.model!r}, only {served!r}"
    raise _Refused("model", message, 404, "model_not_found")


def _stream(fields, streaming):
    if streaming or not fields.stream:
        return fields
    raise _Refused("stream", "stream: this server can only answer in one piece")


def parse_request(body, served, *, streaming=False):
    try:
        return _stream(_model(Body.model_validate_json(body), served), streaming).checked()
    except ValidationError as error:
        raise _Refused(*explain(error)) from None
