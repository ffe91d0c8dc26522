"""Whether what was made of a message has what the message spells out.

Comes in: a message, the text as it stands, the text that was made. Goes out: yes or no. Must not know: hunks, how a
message is read.

Whoever takes one half of *lat_span, and width becomes lon_span* has not understood it.
"""

from __future__ import annotations

import re

_CODE = re.compile(r"--[a-z][\w-]+|\b[A-Za-z]\w*_\w+\b|\b_\w+\b|\b[A-Z]?[a-z0-9]+[A-Z]\w*\b|\b[A-Z][a-z]\w*[A-Z]\w*\b")
_QUOTED = re.compile(r"\"([^\"\n]+)\"|`([^`\n]+)`|(?<!\w)'([^'\n]+)'(?!\w)")
_TURNED_DOWN = re.compile(
    r"\b(?:not|no|nor|never|without|instead of|rather than|than|like|unlike|as in|see|than the|drop|kill|remove|lose"
    r"|delete|because|cause|since)\s+(?:an?\s+|the\s+|in\s+)?[\"'`]?$",
    re.I,
)
_NO_NAMES = frozenset(("camelcase", "pascalcase", "snake_case", "upper_case", "lower_case", "kib", "mib", "gib"))
_HALF = 0.5


def has_what_is_spelled(said: str, now: str, made: str) -> bool:
    """A name in the form of code, or a text in quotes, that the file did not have stands in what was made."""
    for match in _CODE.finditer(said):
        name = match[0].lstrip("-").replace("-", "_")
        if name.lower() in _NO_NAMES or _TURNED_DOWN.search(said[: match.start()]):
            continue
        if not _stands(name, now) and not _stands(name, made):
            return False
    for match in _QUOTED.finditer(said):
        text = match[1] or match[2] or match[3]
        words = re.findall(r"\w\w+", text)
        if not words or _TURNED_DOWN.search(said[: match.start()]) or text in now:
            continue
        if sum(_stands(word, made) for word in words) < _HALF * len(words):
            return False
    return True


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text.replace("-", "_"), re.I) is not None
