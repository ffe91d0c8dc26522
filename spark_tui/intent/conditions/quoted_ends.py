"""Signs with which a text begins or ends, without quotes: *lines that start with #*."""

from __future__ import annotations

import re

from spark_tui.intent.words.phrases import sign, without_articles

_END = re.compile(r"\b((?:start|begin|end)(?:s|ing)?)\s+(?:with|in)\s+(\S.*)\Z", re.IGNORECASE)


def with_quoted_end(text: str) -> str:
    """Signs with which a text begins or ends in quotes, as they stand or by name: *starting with a hash*."""
    said = _END.search(text)
    if said is None:
        return text
    plain = without_articles(said[2])
    named = sign(plain) or plain
    if named == plain and re.fullmatch(r"_*[^\W_][\w.()]*|.*['\"\s].*", plain):
        return text
    quoted = repr(named) if '"' in named else f'"{named}"'
    return f"{text[: said.start(1)]}{said[1].removesuffix('ing')} with {quoted}"
