"""Words of an instruction that may be names of code, and words as stems."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.pysource.words import identifier_words

_WORD = re.compile(r"[^\W\d]\w*")
_QUOTED = re.compile(r"`([^`]+)`|(\b[\w.]+)\(")
_COMMON = frozenset(
    """a an and the in on of to for with from by as is are be it this that if when where which not no or
    else add remove make change rename use using new all every each so into at do does file line
    function class method test tests please should must can only them its their there then than but
    you we my instead value return raise""".split()  # noqa: SIM905
)
_ROLE = re.compile(
    r"\b(?:in|of|inside|within)\s+`?([^\W\d]\w*)`?"
    r"|(?:^|[,;:.]\s+)(?:let\s+)?`?([^\W\d]\w*)`?\s+(?:should|must|shall|may|needs?|can(?:not)?|has to)\b",
    re.I,
)
"""Where a common word is likely a name: *in rename*, *find should*."""


def words_of(instruction: str) -> dict[str, float]:
    """What in an instruction may be a name, and how likely: 1 for what looks like code or is no common word,
    little for common words, which may still be a function's name."""
    quoted = {name for spans in _QUOTED.findall(instruction) for name in _WORD.findall(" ".join(spans))}
    out: dict[str, float] = {}
    for word in _WORD.findall(instruction):
        likely = word in quoted or "_" in word or word.lower() not in _COMMON
        if len(word) > 1 or word in quoted:
            out[word] = 1.0 if likely else 0.1
    for match in _ROLE.finditer(instruction):
        word = match[1] or match[2]
        if word in out and word.lower() not in ("the", "this", "that", "it", "each", "all"):
            out[word] = 1.0
    return out


@lru_cache(maxsize=50_000)
def stems_of(word: str) -> tuple[str, ...]:
    """The parts of an identifier or word, without their endings: `_missing_folders` is *miss* and
    *folder*."""
    return tuple(map(_stem, identifier_words(word)))


def _stem(word: str) -> str:
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    for tail in ("ing", "ed"):
        if len(word) > len(tail) + 3 and word.endswith(tail):
            word = word[: -len(tail)]
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word
