"""Shows an HTTP message line by line, each line with the name of its part."""

from __future__ import annotations

import textwrap

WIDTH = 92  # characters of a line, so that it fits beside its label


def labelled(message: bytes) -> str:
    """A request or a response as text: what each line is, and the line itself.

    Nothing is left out and nothing is added, but long lines are broken to be readable.
    """
    head, _, body = message.partition(b"\r\n\r\n")
    first, *headers = head.decode("latin-1").split("\r\n")
    start = "status line" if first.startswith("HTTP/") else "request line"
    lines = [(start, first), *(("header", header) for header in headers), ("blank line", "")]
    lines += [("body", line) for line in _broken(body.decode("utf-8", "replace"))]
    return "\n".join(f"{label:<13} {line}".rstrip() for label, line in lines)


def _broken(text: str) -> list[str]:
    return [
        piece
        for line in text.splitlines()
        for piece in textwrap.wrap(line, WIDTH, break_on_hyphens=False) or [""]
    ]
