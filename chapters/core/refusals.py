"""Why a request's body was refused, in one sentence that names the field."""

from __future__ import annotations

import json
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError


def wrong(message: str, param: str | None = None) -> PydanticCustomError:
    """What a validator raises; `param` names the field, where pydantic does not know it."""
    return PydanticCustomError("wrong", "{message}", {"message": message, "param": param})


def shown(value: Any) -> str:
    """A value as JSON, shortened."""
    text = json.dumps(value, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else text[:59] + "…"


_EXPECTED = {
    "int_type": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "a string",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "model_type": "an object",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "less_than": "less than {lt}",
    "literal_error": "{expected}",
    "too_short": "it not to be empty",
    "too_long": "at most {max_length} of them",
}


def explain(error: ValidationError) -> tuple[str | None, str]:
    """The first thing that is wrong, as (field, one sentence).

    The field is None where the body as a whole is no JSON object.
    """
    first = error.errors(include_url=False)[0]
    context = first.get("ctx", {})
    param = _path(first["loc"], context.get("param"))
    kind, value = first["type"], first["input"]
    if kind == "json_invalid":
        return None, f"the body is not JSON in UTF-8: {context['error']}" if value else (
            "the body is empty: expected a JSON object"
        )
    if param is None:
        return None, f"the body is {shown(value)}: expected a JSON object"
    if kind == "wrong":
        return param, f"{param}: {context['message']}"
    if kind == "missing":
        return param, f"{param}: required"
    if kind == "extra_forbidden":
        return param, f"{param}: not a field of this API"
    expected = _EXPECTED.get(kind, first["msg"]).format(**context)
    return param, f"{param} is {shown(value)}: expected {expected}"


def _path(loc: tuple, last: str | None) -> str | None:
    """("messages", 0, "role") as clients write it: messages[0].role."""
    steps = loc if last is None else (*loc, last)
    path = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in steps)
    return path.removeprefix(".") if steps else None
