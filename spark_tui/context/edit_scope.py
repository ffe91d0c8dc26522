"""Whether an instruction is about one place of a file or about every place that has something.

*Add docstrings to all functions* reaches every definition, *replace every print with a log call* every line
that calls it, and *use a everywhere* every line that has `a`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.context.relevance import InstructionTerms
from spark_tui.context.symbols import Definition, Outline

_NAME = r"[`\"']?([^\W\d]\w*(?:\.[^\W\d]\w*)*)[`\"']?"
_EVERYWHERE = re.compile(
    r"\b(?:everywhere|throughout|wherever|whole"
    r" (?:file|module)|(?:all|every|each|any|both)(?:\s+of)?(?:\s+the)?\s+"
    r"(?:use|usage|call|caller|occurrence|place|reference|mention|instance|appearance|time)s?|all (?:of"
    r" )?(?:its|the) "
    r"\w+s)\b",
    re.I,
)
_KINDS = re.compile(
    r"\b(?:all|every|each)(?:\s+of)?(?:\s+the)?(?:\s+public|\s+private|\s+other)?\s+(functions?"
    r"|methods?|class(?:es)?"
    r"|tests?|definitions?)\b",
    re.I,
)
_EACH = re.compile(
    r"\b(?:replac|remov|delet|drop|strip|turn|convert|chang|rewrit|wrap|swap|mak|us|migrat)(?:e"
    r"|p?ing)?\s+(?:all|every|each)"
    r"(?:\s+of)?(?:\s+the)?\s+[`\"']?([^\W\d]\w*)",
    re.I,
)
_STATEMENTS = frozenset(("assert", "raise", "return", "import", "global", "del", "pass", "yield", "await"))
_WITHIN = re.compile(
    rf"\b(?:of|in|inside|within)\s+(?:the\s+)?(?:function\s+|method\s+|class\s+|def\s+)?{_NAME}", re.I
)


def lines_in_scope(terms: InstructionTerms, lines: Sequence[str], found: Outline) -> tuple[int, ...] | None:
    """1-based lines, in order."""
    if kind := _KINDS.search(terms.text):
        return tuple(d.first for d in found.definitions if _is(d, kind[1].lower(), lines)) or None
    if (each := _EACH.search(terms.text)) and (calls := _each(each[1], lines)):
        if (within := _scope(terms, found, each[1])) is not None:
            calls = tuple(number for number in calls if within.first <= number <= within.last)
        return calls or None
    subject = _subject(terms, lines) if _EVERYWHERE.search(terms.text) else ""
    if not subject:
        return None
    pattern = re.compile(rf"(?<!\w){re.escape(subject)}(?!\w)")
    places = [number for number, line in enumerate(lines, start=1) if pattern.search(line)]
    if (scope := _scope(terms, found, subject)) is not None:
        places = [number for number in places if scope.first <= number <= scope.last] or [scope.first]
    return tuple(places) or None


def _each(noun: str, lines: Sequence[str]) -> tuple[int, ...]:
    """The lines that call it, or that are such a statement, whether it was said as one or as many."""
    for word in dict.fromkeys((noun, noun.removesuffix("s"), noun.removesuffix("es"))):
        if word:
            ending = r"(?!\w)" if word in _STATEMENTS else r"\s*\("
            pattern = re.compile(rf"(?<![\w.]){re.escape(word)}{ending}")
            places = tuple(number for number, line in enumerate(lines, start=1) if pattern.search(line))
            if len(places) > 1:
                return places
    return ()


def _is(definition: Definition, kind: str, lines: Sequence[str]) -> bool:
    head = lines[definition.first - 1].lstrip() if definition.first <= len(lines) else ""
    words = definition.head.split("(")[0].split() or head.split()
    if kind.startswith("class"):
        return "class" in words
    if kind.startswith("test"):
        return definition.name.lower().startswith("test")
    return "=" not in words and "class" not in words


def _subject(terms: InstructionTerms, lines: Sequence[str]) -> str:
    """The first quoted text, or else the first likely name, that occurs in the file."""
    candidates = [name for name, weight in terms.names.items() if weight >= 1.0]
    # What is quoted is meant, whatever other words the file has.
    for name in (*terms.quoted, *candidates):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        if any(pattern.search(line) for line in lines):
            return name
    return ""


def _scope(terms: InstructionTerms, found: Outline, subject: str) -> Definition | None:
    for match in _WITHIN.finditer(terms.text):
        if match[1] != subject and (named := found.find(match[1])):
            return named[0]
    return None
