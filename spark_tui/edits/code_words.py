"""Conventions in code that is not a whole file: elisions, definitions, and the words around a fence."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from spark_tui.tables import table_beside

Kind = Literal["class", "def", "value"]
Cue = Literal["example", "before", "after", "whole", "new_file"]
Language = Literal["diff", "json", "talk", "document"]
_MEANINGS = {"text": "content"}
"""What a member means that is not called by its meaning."""
_LONGEST = 300
_MAY_DEFINE = re.compile(
    r"=|\{|\b(?:class|def|func|function|fn|struct|enum|trait|mod|interface|type|union)\b"
)


_table = table_beside(__file__, "code_words.toml")


@cache
def _elisions() -> tuple[re.Pattern[str], re.Pattern[str], tuple[re.Pattern[str], ...]]:
    table = _table()["elision"]
    words = tuple(re.compile(item, re.IGNORECASE) for item in table["words"])
    return re.compile(table["comment"]), re.compile(table["dots"]), words


@cache
def _definitions() -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    table = _table()["definition"]
    kinds: tuple[Kind, ...] = ("class", "def", "value")
    return tuple((kind, re.compile(form)) for kind in kinds for form in table[kind])


@cache
def _import() -> re.Pattern[str]:
    return re.compile(_table()["definition"]["import"])


@cache
def _cues() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(form, re.IGNORECASE) for name, form in _table()["cue"].items()}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A line of an edit that stands for lines which the edit would delete, or may."""

    line: str = ""
    certain: bool = False

    @property
    def refusal(self) -> str:
        return f"{self.line!r} stands for lines that this edit would delete: write all of them"

    @property
    def doubt(self) -> str:
        return f"{self.line!r} may stand for lines that this deletes"


def left_out(path: str, old: Sequence[str], new: Sequence[str]) -> LeftOut:
    """What these new lines leave out of the old ones; without a line where that is nothing. Certain is a
    comment of dots alone, or of dots with such words, or between dots, but not in prose, which may show it to
    its reader. One that only begins with dots may go on with a sentence."""
    stands = {line.strip() for line in old} - {""}
    comment, dots, _ = _elisions()
    found = (line.strip() for line in new if stands and is_elision(line) and line.strip() not in stands)
    said = [(line, match["words"]) for line in found if (match := comment.match(line))]
    begun = [(line, words) for line, words in said if dots.match(words)]
    whole = (line for line, words in begun if words.endswith(("...", "…")) or _means_others(words))
    if not is_prose(path) and (line := next(whole, "")):
        return LeftOut(line, True)
    likely = begun or [one for one in said if len(new) < len(old) and _means_others(one[1])]
    return LeftOut(likely[0][0]) if likely else LeftOut()


def is_prose(path: str) -> bool:
    return path.lower().endswith(tuple(_table()["elision"]["prose"]))


def _means_others(words: str) -> bool:
    """Whether the words of a comment stand for unchanged lines."""
    bare = words.strip(".…() ")
    return any(form.search(bare) for form in _elisions()[2])


def leaves_out(lines: Sequence[str]) -> bool:
    """Whether some of the lines replace unchanged lines. Three dots alone may be code."""
    return any(is_elision(line) and line.strip() != "..." for line in lines)


def is_elision(line: str) -> bool:
    """Whether the line replaces unchanged lines: `# ... existing code ...`, a bare `...`, `// unchanged`."""
    bare = line.strip()
    if not bare or len(bare) > _LONGEST:
        return False
    if bare in ("...", "…", "[...]", "(...)", "{...}"):
        return True
    comment, dots, words = _elisions()
    found = comment.match(bare)
    if not found:
        return False
    said = found["words"]
    trails_off = said and len(said) < 60 and dots.fullmatch(said[-3:])
    return bool(dots.match(said) or trails_off or any(form.search(said) for form in words))


def definition(line: str) -> tuple[Kind, str] | None:
    """The kind and name of what the line begins to define."""
    if len(line) > _LONGEST or not _MAY_DEFINE.search(line):
        return None
    for kind, form in _definitions():
        if found := form.match(line):
            return kind, found["name"]
    return None


def is_import(line: str) -> bool:
    return len(line) <= 2 * _LONGEST and _import().match(line.strip()) is not None


def says(cue: Cue, line: str) -> bool:
    """Whether the line before a fence describes it like this."""
    return len(line) <= _LONGEST and _cues()[cue].search(line) is not None


def is_language(kind: Language, info: str) -> bool:
    """Whether the fence's info string names a language of this kind."""
    return _first_word(info) in _table()["language"][kind]


def fits_language(path: str, info: str) -> bool:
    """Whether the fence's language can be that of the file."""
    suffixes = _table()["suffix"].get(_first_word(info))
    return suffixes is None or path.endswith(tuple(suffixes))


def _first_word(info: str) -> str:
    return next(iter(info.lower().split()), "")


@cache
def keys() -> dict[str, frozenset[str]]:
    """The names of an edit's parts, by what they mean."""
    return {meaning: frozenset(names) for meaning, names in _table()["keys"].items()}


def meant(key: str, members: Collection[str]) -> str:
    """The member of an edit that a key names in other words, as `old_string` does `old`; else the key."""
    bare = key.lower().replace("_", "").replace("-", "")
    known = ((one, _MEANINGS.get(one, one)) for one in members if key not in members)
    return next((one for one, meaning in known if bare in keys().get(meaning, ())), key)


@cache
def tags(kind: str) -> tuple[str, ...]:
    """The names of elements of this kind: `edit`, `whole`, `old`, `new`."""
    return tuple(_table()["tags"][kind])
