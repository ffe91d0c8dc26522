"""`@path` and `@path:10-40` in what a person typed.

Comes in: the text of a prompt. Goes out: the mentions in it, in order. Must not know: whether the files exist.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# An "@" inside a word is an address or a decorator's tail, not a mention; quotes carry paths with spaces.
_MENTION = re.compile(
    r"""(?<![\w@.])@(?:"(?P<quoted>[^"\n]+)"|(?P<plain>[\w./~+-]+))(?::(?P<a>\d+)(?:-(?P<b>\d+))?)?"""
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A file, or lines `first..last` of it (1-based, both included); 0 and 0 for the whole file."""

    path: str
    first: int = 0
    last: int = 0


def find_mentions(text: str) -> tuple[Mention, ...]:
    out: list[Mention] = []
    for match in _MENTION.finditer(text):
        # A full stop or comma behind a mention ends the sentence, not the path.
        path = match["quoted"] or match["plain"].rstrip(".,")
        first = int(match["a"] or 0)
        last = int(match["b"] or first)
        mention = Mention(path, min(first, last), max(first, last))
        if path and mention not in out:
            out.append(mention)
    return tuple(out)
