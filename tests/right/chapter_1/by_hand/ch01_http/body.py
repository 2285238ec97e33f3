"""A bytearray, and a generator that knows ASGI."""

from chapters.core import ApiError, ClientGone

LIMIT = 1 << 20


async def _parts(receive):
    while True:
        event = await receive()
        match event["type"]:
            case "http.request":
                yield event.get("body") or b""
                if not event.get("more_body"):
                    return
            case _:
                raise ClientGone("before the end of the body")


async def read_body(receive, limit=LIMIT):
    data = bytearray()
    async for part in _parts(receive):
        data += part
        if len(data) > limit:
            raise ApiError(413, f"too large: at most {limit} bytes", code="too_large")
    return bytes(data)
