"""Text that UTF-8 can hold: bytes that are not UTF-8, and parts of characters that a server sent, are halves
of surrogate pairs here."""

from __future__ import annotations

import json


def whole_characters(text: str) -> str:
    """The text with its surrogate pairs as characters, and U+FFFD for other halves."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def json_of(value: object) -> str:
    """As JSON for a server, which might refuse a half of a pair."""
    return whole_characters(json.dumps(value, ensure_ascii=False, separators=(",", ":")))
