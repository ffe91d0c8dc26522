"""Words that tell what a condition is about: its kind, errors that are named, names that share them. The word
order of another language is put into the English one."""

from __future__ import annotations

import ast
import builtins
import difflib
import re
from functools import lru_cache

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words.phrases import any_stands_in, has_cjk, words
from spark_tui.pysource.syntax.walking import walk
from spark_tui.tables import read_table, table_beside

_ERROR = re.compile(r"(?<!\w)[A-Za-z]{3,}(?:Error|error)(?!\w)")
_ALIKE = 0.88
_STEM = 5


condition_words = table_beside(__file__, "condition_words.toml")


def plain_text(text: str) -> str:
    """The text as phrases are compared with it: small, without apostrophes."""
    return re.sub(r"['’`]", "", text.lower())


def condition_kinds_said(text: str) -> frozenset[str]:
    """What a condition says of its things: that they are absent, present, empty, unmatched."""
    low = plain_text(text)
    return frozenset(kind for kind, known in condition_words()["said"].items() if any_stands_in(known, low))


@lru_cache(maxsize=1)
def _opposite_states() -> dict[str, frozenset[str]]:
    rows: list[list[str]] = condition_words()["states"]["opposite"]
    pairs = list(zip(rows[::2], rows[1::2], strict=True))
    return {
        word: frozenset(other)
        for one, two in pairs
        for own, other in ((one, two), (two, one))
        for word in own
    }


def opposite_states(word: str) -> frozenset[str]:
    """The words for the state that what is in this one is not in: *open* for *closed*."""
    return _opposite_states().get(word.lower(), frozenset())


def errors_said(context: Context) -> frozenset[str]:
    """The errors that an instruction tells of, besides those that it wants raised or caught."""
    beside = context.beside_slots()
    known = [name for name in dir(builtins) if name.endswith("Error")]
    out = set()
    for word in _ERROR.findall(beside):
        found = difflib.get_close_matches(word, known, 1, _ALIKE)
        out |= set(found)
    low = plain_text(context.situation.instruction)
    for name, phrases in condition_words()["errors"].items():
        if any_stands_in(phrases, low):
            out.add(name)
    if "nonetype" in low:
        out &= {"AttributeError", "TypeError"}
    return frozenset(out)


def lines_said(context: Context) -> frozenset[int]:
    """The lines that a traceback or a person names."""
    numbers = re.findall(r"(?:\bline\s+|\.py:)(\d+)", context.situation.instruction)
    return frozenset(map(int, numbers))


def stems(text: str) -> frozenset[str]:
    """The beginnings of the words of a text or name."""
    return frozenset(_stem(word) for word in split_name(text) if len(word) > 2)


def _stem(word: str) -> str:
    low = word.lower()
    return (low[:-1] if low.endswith("s") and len(low) > 3 else low)[:_STEM]


def collect_names_and_texts(*nodes: ast.AST) -> str:
    out = []
    for inner in (item for node in nodes for item in walk(node)):
        if isinstance(inner, ast.Name):
            out.append(inner.id)
        elif isinstance(inner, ast.Attribute):
            out.append(inner.attr)
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            out.append(inner.value)
    return " ".join(out)


@lru_cache(maxsize=1)
def _of_kinds() -> frozenset[str]:
    """The stems of words that say a kind, and so name nothing."""
    words = (item for known in condition_words()["said"].values() for item in known)
    small = ("the", "and", "has", "have", "been", "for", "that", "was", "are", "not", "any", "with", "get")
    return frozenset(stem for item in (*words, *small) if not has_cjk(item) for stem in stems(item))


def unsaid_stems(text: str, names: str) -> frozenset[str]:
    """The stems of a condition that say neither its kind nor one of the names."""
    named = stems(names)
    return frozenset(
        stem
        for stem in stems(plain_text(text)) - _of_kinds() - named
        if not any(item.startswith(stem) or stem.startswith(item) for item in named)
    )


def count_shared_words(text: str, *nodes: ast.AST) -> int:
    """How many words of a condition name the things of an expression."""
    wanted, named = stems(text) - _of_kinds(), stems(collect_names_and_texts(*nodes))
    short = {
        stem
        for stem in named - wanted
        if len(stem) == _STEM - 1 and any(item.startswith(stem) for item in wanted)
    }
    return len(wanted & named) + len(short)


@lru_cache(maxsize=1)
def _orders() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = read_table(__file__, "word_orders.toml")
    articles = "|".join(sorted(map(re.escape, words("articles")), key=len, reverse=True))
    word = rf"(?P<x>(?:(?:{articles})\s+)?[\w.]+)"
    out = []
    for order, form in table["orders"]:
        pattern = order.replace("{w}", word).replace("{x}", "(?P<x>.+?)").replace("{n}", "(?P<n>.+?)")
        out.append((re.compile(pattern.replace(" ", r"\s+"), re.IGNORECASE), form))
    return tuple(out)


def in_english_order(text: str) -> str:
    """The condition in words that stand as in English; the text itself where they do."""
    for pattern, form in _orders():
        if (found := pattern.fullmatch(text)) is not None:
            return str(form.format(**found.groupdict()))
    return text
