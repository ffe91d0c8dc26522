"""Which of several kinds of words an instruction has: tables of `phrases.toml` with lists of words."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.words import phrases


def says(table: str, kind: str, text: str) -> bool:
    """Whether words of a kind stand in a text."""
    return _pattern(table, kind).search(text) is not None


def kind_said(table: str, text: str) -> str:
    """The kind whose words stand first in a text, of several at one place the longer ones."""
    found = [(one, kind) for kind in phrases.table()[table] if (one := _pattern(table, kind).search(text))]
    return min(found, key=lambda item: (item[0].start(), -item[0].end()))[1] if found else ""


@lru_cache(maxsize=64)
def _pattern(table: str, kind: str) -> re.Pattern[str]:
    rows = sorted(phrases.table()[table][kind], key=len, reverse=True)
    shown = [
        re.escape(row) if phrases.has_cjk(row) or not row[0].isalnum() else rf"(?<!\w){re.escape(row)}(?!\w)"
        for row in rows
    ]
    return re.compile("|".join(shown), re.IGNORECASE)
