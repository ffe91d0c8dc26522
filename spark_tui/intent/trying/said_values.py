"""Values in a message: numbers, texts, collections, objects and errors, and what is said of each."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from spark_tui.pysource.syntax.parsing import parse_value
from spark_tui.pysource.words import word_set
from spark_tui.tables import read_table

_NUMBER = r"[-−]?\d+(?:[_,]\d{3})*(?:\.\d+)?(?:e-?\d+)?"
_ERROR = r"[A-Z]\w*(?:Error|Exception|Warning|Interrupt)"
_VALUE = re.compile(
    rf"(?<![\w.]){_NUMBER}(?![\w])|True\b|False\b|None\b|{_ERROR}\b"
    r"|(?<!\w)[rb]?(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')|[“‘«][^”’»\n]*[”’»]"
)
_CLASS = re.compile(r"(?<![\w.])[A-Z]\w+")
_MADE = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*\(")
_BARE = re.compile(r"[^\s,;“\"'()\[\]{}`][^\n,;“\"`]*")
_SENTENCE = re.compile(r"[.!?]\s+(?=[A-Z“\"'])|\n\s*\n")
_PAIRS = {"(": ")", "[": "]", "{": "}"}
MOST_CODE = 400
_KNOWN = word_set("Counter Decimal date datetime timedelta Fraction Path set frozenset tuple list")


@dataclass(frozen=True, slots=True)
class Said:
    """A value, and whether the words in front of it say that it is wanted. `text`: it has no quotes, so it
    may hold more words than the value. `apart`: it is in another sentence than what it is said of."""

    code: str
    wanted: bool
    kind: Literal["value", "error", "text"] = "value"
    apart: bool = False


@lru_cache(maxsize=1)
def words() -> dict[str, re.Pattern[str]]:
    """The patterns of `words.toml`, of which each key is a list of pieces."""
    loaded = read_table(__file__, "words.toml")
    return {key: re.compile("|".join(pieces), re.IGNORECASE) for key, pieces in loaded.items()}


def values_in(text: str, names: Container[str], errors: Container[str]) -> Iterator[Said]:
    """The values in words; objects are made by calls of `names` and a few of the standard library. `errors`
    are the names of further exceptions."""
    at, start = 0, 0
    sentence = _SENTENCE.search(text)
    end_of_first = sentence.start() if sentence is not None else len(text)
    while at < len(text):
        code, kind, where, end = _value_at(text, at, names, errors)
        if code:
            yield Said(code, _is_wanted(text[start:where]), kind, at > end_of_first)
            start = end
        at = max(end, at + 1)


def _value_at(
    text: str, at: int, names: Container[str], errors: Container[str]
) -> tuple[str, Literal["value", "error", "text"], int, int]:
    """The code and the kind of the value at a place, or no code; where it begins, and where to go on."""
    made = _MADE.match(text, at)
    if made is not None:
        end = closing(text, made.end() - 1)
        name = made[0][:-1].rpartition(".")[2]
        if end is not None and parse_value(text[at:end]) is not None:
            return text[at:end] if name in names or name in _KNOWN else "", "value", at, end
    if text[at] in _PAIRS:
        end = closing(text, at)
        if end is not None and is_literal(text[at:end]):
            return text[at:end], "value", at, end
        return "", "value", at, at + 1 if text[at] == "(" or end is None else end
    named = _CLASS.match(text, at)
    if named is not None and named[0] in errors:
        return named[0], "error", at, named.end()
    found = _VALUE.match(text, at)
    if found is None:
        return _bare(text, at)
    code = found[0]
    if code[0] in "“‘«":
        code = repr(code[1:-1])
    elif code[-1].isdigit():
        code = code.replace("−", "-").replace(",", "")
    is_error = re.fullmatch(_ERROR, code) is not None
    known = not is_error or code in names or hasattr(builtins, code)
    return code if known else "", "error" if is_error else "value", at, found.end()


def _bare(text: str, at: int) -> tuple[str, Literal["text"], int, int]:
    """A text without quotes behind words that announce a value."""
    after = words()["bare"].match(text, at)
    bare = _BARE.match(text, after.end()) if after is not None and after.end() > at else None
    if after is None or bare is None or any(one.match(text, after.end()) for one in (_VALUE, _MADE)):
        return "", "text", at, at + 1
    other = words()["wanted"].search(bare[0])
    end = other.start() if other is not None and other.start() else len(bare[0])
    return repr(bare[0][:end].strip().rstrip(".")), "text", bare.start(), bare.start() + end


def closing(text: str, at: int) -> int | None:
    """One past the bracket that closes the one at a place."""
    open_, quote = [text[at]], ""
    for here in range(at + 1, min(len(text), at + MOST_CODE)):
        letter = text[here]
        if quote:
            quote = "" if letter == quote and text[here - 1] != "\\" else quote
        elif letter in "'\"":
            quote = letter
        elif letter in _PAIRS:
            open_.append(letter)
        elif letter in ")]}":
            if letter != _PAIRS[open_.pop()]:
                return None
            if not open_:
                return here + 1
    return None


def is_literal(code: str) -> bool:
    try:
        ast.literal_eval(code)
    except (SyntaxError, ValueError, TypeError, MemoryError):
        return False
    return True


def _is_wanted(words_before: str) -> bool:
    """Whether the last words of this kind in front of a value say that it is wanted."""
    wanted = [one.end() for one in words()["wanted"].finditer(words_before)]
    given = [one.end() for one in words()["given"].finditer(words_before)]
    return bool(wanted) and max(wanted) >= max(given, default=0)
