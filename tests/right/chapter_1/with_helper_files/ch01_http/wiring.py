"""Another helper file, imported by its full name."""

from starlette.responses import JSONResponse

from chapters.ch01_http.body import read_body
from chapters.ch01_http.requests import parse_request
from chapters.core import ApiError, ClientGone


async def attempt(handler, receive):
    """The response to this request, an error's included; None if nobody waits for one."""
    try:
        body = await read_body(receive)
        checked = parse_request(body, handler.served, streaming=handler.streaming)
        return await handler.answer(handler.endpoint, checked)
    except ClientGone:
        return None
    except ApiError as error:
        return JSONResponse(error.body(), status_code=error.status)
