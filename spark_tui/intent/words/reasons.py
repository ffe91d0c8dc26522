"""Tells the reason of an order from another order."""

from __future__ import annotations

import re

from spark_tui.intent.words.phrases import joining, words


def is_reason(clause: str) -> bool:
    """Whether a clause says why, and asks for nothing: `because it may be empty`, `it fails otherwise`,
    `delete sounds wrong`. What has a further clause may ask for something there."""
    said = re.sub(rf"^(?:[\s,;.&，。；]|{joining()})+", "", clause).rstrip(" .,;!。")
    if re.match(rf"[`'\"]?[\w.]+[`'\"]?\s*{_any('opinions')}", said, re.IGNORECASE):
        return True
    if re.search(r"[,;:\n，；：]|[.。]\s", said) or re.search(_any("wishes"), said, re.IGNORECASE):
        return False
    return re.match(_any("reasons"), said, re.IGNORECASE) is not None


def _any(kind: str) -> str:
    """A regular expression for the words of a kind, which signs or Chinese stand around."""
    pattern = "|".join(map(re.escape, words(kind)))
    return rf"(?<![^\W\u3400-\u9fff])(?:{pattern})(?![^\W\u3400-\u9fff])"
