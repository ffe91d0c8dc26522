"""Which of several kinds of words an instruction has: tables of `phrases.toml` with lists of words."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.words import phrases


def says(table: str, kind: str, text: str) -> bool:
    """Whether words of a kind stand in a text."""
    return _pattern(table, kind).search(text) is not None


def denies(table: str, kind: str, text: str) -> bool:
    """Whether what a text says of a kind is that it is not, or is to go: *not frozen*, *slots=False*."""
    *_, said = _pattern(table, kind).finditer(text)
    before, behind = re.split("[,;.:]", text[: said.start()])[-1].lower(), text[said.end() :]
    words = [word for item in ("denying", "deleting") for word in phrases.words(item)]
    kept = re.search(rf"(?:n[o'’]t|never|nicht)\s+(?:{'|'.join(phrases.words('deleting'))})(?!\w)", before)
    told = phrases.any_stands_in(words, before) and kept is None
    denied = told is not (said[0].lower() in phrases.words("thawing"))
    return denied or re.match(r"\W{0,3}(?:to )?(?:False|off)\b", behind) is not None


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


def is_to_go_further(text: str) -> bool | None:
    """Whether something ends too early or too late, as a text says; None where it says neither, or both."""
    early, late = (phrases.mentions(kind, text) for kind in ("too_early", "too_late"))
    return early if early != late else None


def folder_words(text: str) -> tuple[int, int] | None:
    """Where the words stand that ask for the folder of something to be made."""
    found = re.search(phrases.form("makes_folder"), text, re.IGNORECASE)
    return found.span() if found is not None else None


def only_keeps(text: str) -> bool:
    """Whether words ask to keep something, and none to remove anything: *keep it too*, *“pong” stays*."""
    kept, stays = ("|".join(phrases.words(kind)) for kind in ("leaving_alone", "staying"))
    asked = re.match(rf"\W*(?:(?:no|ok|okay|but|and|please|wait)\W+)*(?:{kept})\b", text, re.IGNORECASE)
    asked = asked or re.search(rf"\b(?:{stays})\W*\Z", text, re.IGNORECASE)
    removing = phrases.table()["config_lists"]["removing"]
    return asked is not None and not phrases.any_stands_in(removing, text.lower())
