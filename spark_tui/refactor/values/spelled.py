"""Expressions that an order spells without quotes: *check len(names) > 8*, *return x.copy()*.

Comes in: a text and the names of the file. Goes out: where expressions stand. Must not know: what they are
for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.pysource.parsing import parse_code

_TOKEN = re.compile(
    r"\s*(?:(?P<text>[rbfRBF]{0,2}(?:\"[^\"\n]*\"|'[^'\n]*'))"
    r"|(?P<word>[^\W\d]\w*(?:\.[^\W\d]\w*)*)|(?P<number>\d[\w.]*)"
    r"|(?P<op>is not\b|not in\b|[=!<>]=|\*\*|//|<<|>>|[-+*/%<>&|^])|(?P<open>[(\[{]))"
)
_NO_NAMES = frozenset(
    [
        "to",
        "by",
        "for",
        "with",
        "it",
        "of",
        "a",
        "an",
        "the",
        "as",
        "from",
        "at",
        "on",
        "if",
        "else",
        "not",
        "return",
        "while",
    ]
)
_NEGATED = re.compile(
    r"(?:\b(?:use|be|to|with|by|check|test|want|need|return|condition|it'?s|replace|change|instead of|rather than|than|swap)|->|=>|→|^)\W*$",
    re.I,
)
_WORD_OPS = frozenset(["is", "in", "and", "or"])
_CLOSE = {"(": ")", "[": "]", "{": "}"}


def expressions(text: str, known: frozenset[str]) -> Iterator[tuple[int, int, bool]]:
    """Start, end and whether it is surely one: *a and b* may be English."""
    at = 0
    for match in re.finditer(r"(?<![\w.`\"'])[^\W\d]\w*|(?<![\w)\]])[\[({]|(?<!\w)-(?=\w)", text):
        if match.start() < at:
            continue
        if match[0] == "not" and not _NEGATED.search(text[: match.start()]):
            continue
        end, sure = _longest(text, match.start(), known)
        if end > match.start():
            at = end
            yield match.start(), end, sure


def _group(text: str, start: int) -> int:
    """One past the bracket that closes the one at `start`, else -1."""
    stack: list[str] = []
    at = start
    while at < len(text):
        char = text[at]
        if char in "\"'":
            close = text.find(char, at + 1)
            if close < 0:
                return -1
            at = close
        elif char in _CLOSE:
            stack.append(_CLOSE[char])
        elif stack and char == stack[-1]:
            stack.pop()
            if not stack:
                return at + 1
        elif char in ")]}":
            return -1
        at += 1
    return -1


def _operand(text: str, at: int, known: frozenset[str]) -> tuple[int, bool]:
    """The end of an operand, and whether it is code for sure; -1 where there is none."""
    match = _TOKEN.match(text, at)
    if match is None:
        return -1, False
    sure = False
    if match["open"]:
        end = _group(text, match.start("open"))
        if end < 0:
            return -1, False
        sure = True
    elif match["op"] == "-" or match["word"] == "not":
        end, sure = _operand(text, match.end(), known)
        return end, sure
    elif match["word"]:
        word, end = match["word"], match.end()
        called = text[end : end + 1] in ("(", "[")
        sure = "." in word or "_" in word
        if not (called or sure or word in known or word in ("None", "True", "False", "self")):
            return -1, False
        if word in _WORD_OPS or word in _NO_NAMES:
            return -1, False
    elif match["number"] or match["text"]:
        return match.end(), False
    else:
        return -1, False
    while end < len(text) and text[end] in "([":
        close = _group(text, end)
        if close < 0:
            break
        end, sure = close, True
        more = re.match(r"(?:\.[^\W\d]\w*)+", text[end:])
        if more:
            end += more.end()
    return end, sure


def _longest(text: str, start: int, known: frozenset[str]) -> tuple[int, bool]:
    end, sure = _operand(text, start, known)
    if end < 0:
        return -1, False
    grown = "(" in text[start:end] or "[" in text[start:end] or text.startswith("not ", start)
    symbols = True
    while True:
        match = _TOKEN.match(text, end)
        op = (match["op"] or (match["word"] if match["word"] in _WORD_OPS else "")) if match else ""
        if not match or not op:
            break
        after, more = _operand(text, match.end(), known)
        if after < 0:
            break
        tail = text[match.end() : after].strip()
        if op in _WORD_OPS or op in ("is not", "not in"):
            symbols = symbols and (
                op not in ("and", "or") and (more or sure or tail == "None" or "not" in op)
            )
        end, sure, grown = after, sure or more or op not in _WORD_OPS, True
    try:
        parse_code(text[start:end].strip(), mode="eval")
    except (SyntaxError, ValueError):
        return -1, False
    return (end, symbols or (sure and "(" in text[start:end])) if grown else (-1, False)
