"""Files and definitions named in a message: *also in Client.ping*, *and in mailer.py*.

An everyday word names a definition only where a name is expected: after *in* or *not*, or before *should*. So
*use logger.warning* does not name `logger`, and *add a timeout* does not name `add`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from posixpath import basename

from spark_tui.context.mentions import find_mentions
from spark_tui.context.symbols import Definition, outline
from spark_tui.engine.text.token_layout import WindowHunk

_IN = r"\b(?:in|of|inside|within|for|from|leave|except|skip)(?:\s+(?:the|method|function|class|in|for))*\s+"
_BEFORE = r"\b(?:not|only|just|also|and|or|but|keep|to|about)(?:\s+the)?\s+|,\s*|^\s*"
_BEHIND = (
    r"\s+(?:should|must|shall|may|might|can|could|needs?|keeps?|stays?|has|is|was|gets?|too|as"
    r" well|also|alone|takes?"
    r"|wants?|does|doesn'?t|may|and)\b|\s*(?:,|$|[.!;:](?:\s|$))"
)
_CODE = re.compile(r"[^\W\d]\w*_\w*|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|\w+(?:\.\w+)+|\d+(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d]\w+|\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class NamedRange:
    """Lines of a definition, counted from 1, both included."""

    first: int
    last: int

    def holds(self, hunk: WindowHunk) -> bool:
        return self.first - 1 <= hunk.first and hunk.last <= self.last


def places_named(message: str, path: str, lines: Sequence[str]) -> tuple[NamedRange, ...]:
    """The innermost functions, methods and classes that a message names."""
    found = [
        definition
        for definition in outline(path, lines).definitions
        if re.match(r"\s*(?:async\s+def|def|class)\b", definition.head) and _is_named(definition, message)
    ]
    inner = [
        definition
        for definition in found
        if not any(definition is not other and _inside(other, definition) for other in found)
    ]
    return tuple(NamedRange(definition.first, definition.last) for definition in inner)


def _inside(definition: Definition, other: Definition) -> bool:
    return other.first <= definition.first and definition.last <= other.last


def _is_named(definition: Definition, message: str) -> bool:
    name = re.escape(definition.name)
    if definition.inside and re.search(rf"(?<![\w.]){re.escape(definition.full_name)}(?!\w)", message):
        return True
    if re.search(rf"\.{name}(?!\w)|(?<!\w){name}\.", message):
        # Of something else.
        return False
    if re.search(rf"`{name}(?:\(\))?`|(?<![\w.]){name}\(", message):
        return True
    plainly = (
        "_" in definition.name.strip("_")
        or definition.name.startswith("_")
        or re.search(r"[a-z][A-Z]", definition.name)
    )
    if plainly:
        return re.search(rf"(?<!\w){name}(?!\w)", message) is not None
    return re.search(rf"{_IN}{name}(?!\w)|(?:{_BEFORE}){name}(?={_BEHIND})", message) is not None


def files_named(message: str, paths: Sequence[str]) -> list[str]:
    """The paths that a message names, in full or by the name of the file."""
    mentioned = {mention.path for mention in find_mentions(message)}
    return [
        path
        for path in paths
        if path in mentioned or re.search(rf"(?<![\w./]){re.escape(basename(path))}(?!\w)", message)
    ]


def without_names_of(message: str, paths: Sequence[str]) -> str:
    """The message with file names replaced by pronouns: *client.py should have 20* becomes *it should
    have 20*."""
    for path in paths:
        name = rf"(?<![\w./@]){re.escape(basename(path))}(?!\w)"
        message = re.sub(name, "it", re.sub(rf"\s*\b(?:in|of|for|from) {name}", "", message))
    return message.strip(" ,") or message


def words_for_code(text: str) -> set[str]:
    """What in a text is plainly of code: identifiers of several parts, dotted names, numbers."""
    return {part for found in _CODE.findall(text) for part in (found, *_WORD.findall(found)) if len(part) > 1}
