"""Text in arguments that was escaped twice."""

from __future__ import annotations

import re

_ESCAPED = re.compile(r'\\([nrt"\\])')
_MEANS = {"n": "\n", "r": "\r", "t": "\t"}


def unescaped(text: str) -> str:
    """Text that was escaped twice, as some models and servers send it. Text with line breaks was not."""
    if "\n" in text:
        return text
    return _ESCAPED.sub(lambda found: _MEANS.get(found[1], found[1]), text)


def unescaped_like(old: str, new: str) -> str | None:
    """The new side where the old one was escaped. `\\n` beside line breaks stands in code; None where it may
    stand in code too, because the old side has only quotes that are escaped."""
    kinds = {found[1] for found in _ESCAPED.finditer(old)}
    if "\n" not in new:
        return None if "\\n" in new and "n" not in kinds else unescaped(new)
    kinds = (kinds | {"\\"}) - {"n", "r"}
    return _ESCAPED.sub(lambda found: _MEANS.get(found[1], found[1]) if found[1] in kinds else found[0], new)
