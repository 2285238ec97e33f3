"""Writes JSON to the wire."""

import json


def line(value):
    raw = json.dumps(value, ensure_ascii=False)
    return "data: " + "".join(c if c.isascii() else _escaped(c) for c in raw) + "\n\n"


def _escaped(character):
    raw = character.encode("utf-16-be")
    return "".join(f"\\u{raw[i]:02x}{raw[i + 1]:02x}" for i in range(0, len(raw), 2))
