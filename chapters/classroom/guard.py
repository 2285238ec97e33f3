"""Lets nobody in but the page itself and programs on this machine.

A page elsewhere, open in the same browser, can send requests to 127.0.0.1 too: by its own name,
by a name of its own that it has pointed here, or in a frame. So each request is looked at:

1. `Host` names this page: a name that somebody has pointed here does not pass.
2. What the browser says of the sender (`Sec-Fetch-Site`, `Origin`) is this page, or nobody. Only
   the page as such may be opened by a link from elsewhere, and never in a frame.
3. A command is JSON with a header of its own: no form can send that, and a script elsewhere
   would have to ask first, which is refused.
"""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

MARK = "x-classroom"
RULES = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; object-src 'none'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
}


class Guard:
    """An ASGI layer that refuses what does not come from the page on this port."""

    def __init__(self, app, port: int):
        self.app = app
        self.hosts = {f"localhost:{port}", f"127.0.0.1:{port}"}
        if port == 80:
            self.hosts |= {"localhost", "127.0.0.1"}

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        async def ruled(message):
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(RULES)
            await send(message)

        why = self.refusal(scope["method"], scope["path"], Headers(scope=scope))
        app = PlainTextResponse(f"refused: {why}\n", 403) if why else self.app
        await app(scope, receive, ruled)

    def refusal(self, method: str, path: str, headers: Headers) -> str | None:
        """Why a request is refused; None if it is not."""
        if headers.get("host") not in self.hosts:
            return "the Host header does not name this page"
        if "origin" in headers and headers["origin"] not in {f"http://{h}" for h in self.hosts}:
            return "it comes from another origin"
        opened = (method, path) == ("GET", "/") and headers.get("sec-fetch-dest") == "document"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") and not opened:
            return "it comes from another site"
        if method not in ("GET", "HEAD") and not _is_command(headers):
            return f"a command is application/json and has the header {MARK}"
        return None


def _is_command(headers: Headers) -> bool:
    return MARK in headers and headers.get("content-type") == "application/json"
