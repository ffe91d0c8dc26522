"""Reasoning in the text of an answer, between tags, or before a closing one alone.

The prompt of some models ends with the opening tag. Which model that is, its name tells, or an answer of it.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from spark_tui.tables import read_table

_TABLE = read_table(__file__, "thinking_tags.toml")
TAGS: dict[str, str] = _TABLE["tags"]
CLOSING: str = _TABLE["unopened"]["closing"]
_MODELS: list[str] = _TABLE["unopened"]["models"]
_EDITS: list[str] = _TABLE["unopened"]["edits"]
_PATH_ABOVE = re.compile(r"[*`]*[\w./@+~-]{,300}[./]\w{1,100}[*`:]*\n+")
_FENCED = re.compile(r"^ *(```|~~~).*?(?:^ *\1|\Z)", re.MULTILINE | re.DOTALL)
_ALONE = re.compile(rf"^[^\n`\"'<]*{re.escape(CLOSING)}[ \t]*$", re.MULTILINE)


class ThinkingHabit:
    """Whether the answers of a model begin with reasoning that no tag opens."""

    def __init__(self, model: str = "") -> None:
        bare = model.lower().rsplit("/", 1)[-1]
        self.begins = any(fnmatchcase(bare, pattern) for pattern in _MODELS)

    def learn(self, text: str) -> None:
        """From the text of a whole answer that was taken for no reasoning."""
        if CLOSING in text and _ALONE.search(_FENCED.sub("", text)):
            self.begins = True


def begins_edit(text: str) -> bool | None:
    """Whether an answer that so begins is an edit, not reasoning; None where that shows later."""
    if text.startswith(CLOSING):
        return False
    first = _PATH_ABOVE.match(text)
    rest = text[first.end() :] if first else text
    if any(rest.startswith(mark) for mark in _EDITS):
        return True
    in_path = first is None and re.fullmatch(r"\S{,300}", text)
    return None if in_path or any(mark.startswith(rest) for mark in _EDITS) else False


def holds_edit(text: str) -> bool:
    return any(line.startswith(tuple(_EDITS)) for line in text.splitlines())


def closed_at(text: str, start: int) -> int:
    """Where reasoning that no tag opens ends in the text: at the first closing tag from `start` on that is
    not in a fence; -1 where there is none."""
    at = text.find(CLOSING, start)
    while at >= 0:
        line = text.rfind("\n", 0, at) + 1
        if not text[line:at].strip() or len(re.findall(r"^ *(?:```|~~~)", text[:at], re.MULTILINE)) % 2 == 0:
            return at
        at = text.find(CLOSING, at + 1)
    return -1
