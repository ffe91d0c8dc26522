"""Tells the reason of an order from another order."""

from __future__ import annotations

import re
from functools import cache

from spark_tui.intent.words.phrases import joining, words


def is_reason(clause: str) -> bool:
    """Whether a clause says why, and asks for nothing: `because it may be empty`, `it fails otherwise`,
    `delete sounds wrong`. What has a further clause may ask for something there."""
    said = _joined().sub("", clause).rstrip(" .,;!。")
    if _any("opinions", r"[`'\"]?[\w.]+[`'\"]?\s*").match(said):
        return True
    if _FURTHER.search(said) or _any("wishes").search(said):
        return False
    return _any("reasons").match(said) is not None


_FURTHER = re.compile(r"[,;:\n，；：]|[.。]\s")


@cache
def _joined() -> re.Pattern[str]:
    return re.compile(rf"^(?:[\s,;.&，。；]|{joining()})+")


@cache
def _any(kind: str, before: str = "") -> re.Pattern[str]:
    """The words of a kind, which signs or Chinese stand around, behind something else."""
    pattern = "|".join(map(re.escape, words(kind)))
    return re.compile(rf"{before}(?<![^\W\u3400-\u9fff])(?:{pattern})(?![^\W\u3400-\u9fff])", re.IGNORECASE)
