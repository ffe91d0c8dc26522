"""Replaces the names, numbers and words of a window by random ones.

Real code says `timeout`, `name` and `10` again and again, and a model that has learned these writes them
where `FPS`, `qty2` or `86400` are. With random content the only way to be right is to copy.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
import tokenize
from collections.abc import Iterable, Sequence
from random import Random

from spark_tui.pysource.words import identifier_words
from spark_tui.train.source_windows import (
    Change,
    Function,
    SourceWindow,
    apply_changes,
    is_name,
    line_starts,
    parse,
    renamed,
    tokens_of,
)

_NAMES, _TEXTS, _NUMBERS, _CONSTANTS = 0.5, 0.4, 0.5, 0.4
_WORD = re.compile(r"[A-Za-z]{3,}")
_FIELDS = re.compile(r"\{[^{}]*\}|%\(?\w*\)?[\d.]*\w")
_LONGEST_LINE = 140
_KEPT = frozenset(
    [*dir(builtins), *keyword.kwlist, "self", "cls", "args", "kwargs", "main", "name", "annotations"]
)
_CONSONANTS, _VOWELS = "bcdfghjklmnprstvwxz", "aeiou"


def word_pool(texts: Iterable[str]) -> list[str]:
    """The distinct words in the names and sentences of the texts."""
    found: set[str] = set()
    for text in texts:
        for run in re.findall(r"[A-Za-z]+", text):
            found.update(word for word in identifier_words(run) if 2 < len(word) < 11)
    return sorted(found - _KEPT)


def randomize_identifiers(window: SourceWindow, words: Sequence[str], rng: Random) -> SourceWindow | None:
    """The window with other names, texts and numbers; None if the result does not parse."""
    text = _renamed(window, words, rng)
    if rng.random() < 0.7:
        text = _reworded(text, words, rng)
    if rng.random() < _CONSTANTS:
        text = _with_constants(text, words, rng)
    tree = parse(text)
    if (
        tree is None
        or text == window.text
        or not text.isascii()
        or max(map(len, text.split("\n"))) > _LONGEST_LINE
    ):
        return None
    return SourceWindow(window.path, text, tree)


# -- names


def _word(words: Sequence[str], rng: Random) -> str:
    if words and rng.random() < 0.9:
        return rng.choice(words)
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(rng.choice((1, 2, 2, 3))))


def new_name(like: str, words: Sequence[str], rng: Random) -> str:
    """A name in the style of another: upper case, capitals or underscores; also acronyms and single
    letters."""
    roll = rng.random()
    if like.isupper():
        if roll < 0.3:
            return "".join(rng.choice("ABCDEFGHIKLMNOPQRSTUVX") for _ in range(rng.choice((2, 3, 3, 4))))
        return "_".join(_word(words, rng).upper() for _ in range(rng.choice((1, 2, 2, 3))))
    if like[:1].isupper():
        return "".join(_word(words, rng).capitalize() for _ in range(rng.choice((1, 2, 2, 3))))
    private = "_" * (len(like) - len(like.lstrip("_")))
    if roll < 0.06:
        return private + rng.choice("abcdefghjkmnpqrstuvwxyz")
    name = "_".join(_word(words, rng) for _ in range(rng.choice((1, 1, 2, 2, 3))))
    if roll < 0.16:
        name += str(rng.randint(1, 9))
    elif roll < 0.24:
        name = "".join(rng.choice("bcdfghklmnpqrstvx") for _ in range(rng.choice((2, 3, 3))))
    return private + name


def _renamed(window: SourceWindow, words: Sequence[str], rng: Random) -> str:
    """Replaces the names that the window itself defines, each by the same new one everywhere."""
    taken = set(re.findall(r"\w+", window.text)) | _KEPT
    imported: set[str] = set()
    own: list[str] = []
    for node in window.nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            imported.update((item.asname or item.name).split(".")[0] for item in node.names)
        elif isinstance(node, Function | ast.ClassDef):
            own.append(node.name)
        elif isinstance(node, ast.arg):
            own.append(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.append(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            own.append(node.attr)
    names: dict[str, str] = {}
    for old in dict.fromkeys(own):
        if old in imported or old in _KEPT or old.startswith("__") or rng.random() > _NAMES:
            continue
        new = new_name(old, words, rng)
        if new not in taken and is_name(new):
            names[old] = new
            taken.add(new)
    return renamed(window.text, names)


# -- texts and numbers


def new_number(like: str, rng: Random) -> str:
    """Another number, of the same type."""
    if "." in like:
        return rng.choice(
            [
                f"{rng.random():.2f}",
                f"{rng.randint(1, 99)}.{rng.randint(0, 9)}",
                f"0.{rng.randint(1, 999):03}",
            ]
        )
    roll = rng.random()
    if roll < 0.35:
        return str(rng.randint(2, 99))
    if roll < 0.6:
        return str(
            rng.choice(
                (15, 24, 25, 36, 45, 64, 128, 150, 255, 365, 512, 720, 1280, 1440, 4096, 8443, 86400, 3600)
            )
        )
    if roll < 0.8:
        return str(rng.randint(2, 9)) + "0" * rng.randint(1, 5)
    return str(rng.randint(100, 99_999))


def _reworded(text: str, words: Sequence[str], rng: Random) -> str:
    """Replaces plain texts and numbers, equal ones by the same; format fields stay."""
    starts = line_starts(text)
    replaced: dict[str, str] = {}
    changes: list[Change] = []

    def again(match: re.Match[str]) -> str:
        old = match[0]
        if old not in replaced:
            new = _word(words, rng)
            replaced[old] = (
                (new.upper() if old.isupper() else new.capitalize() if old[0].isupper() else new)
                if rng.random() < _TEXTS
                else old
            )
        return replaced[old]

    for token in tokens_of(text):
        start = starts[token.start[0] - 1] + token.start[1]
        end = start + len(token.string)
        if (
            token.type == tokenize.NUMBER
            and token.string not in ("0", "1")
            and token.string.replace(".", "", 1).isdigit()
        ):
            if token.string not in replaced:
                replaced[token.string] = (
                    new_number(token.string, rng) if rng.random() < _NUMBERS else token.string
                )
            changes.append((start, end, replaced[token.string]))
        elif token.type == tokenize.STRING and "\n" not in token.string and "\\" not in token.string:
            opening = re.match(r"[A-Za-z]*(\"\"\"|'''|\"|')", token.string)
            if opening is None or len(opening[1]) == 3:
                continue
            inner = token.string[opening.end() : -1]
            made, at = "", 0
            for field in _FIELDS.finditer(inner):
                made += _WORD.sub(again, inner[at : field.start()]) + field[0]
                at = field.end()
            changes.append((start, end, opening[0] + made + _WORD.sub(again, inner[at:]) + opening[1]))
    return apply_changes(text, changes)


# -- constants


def _with_constants(text: str, words: Sequence[str], rng: Random) -> str:
    """Gives names to some numbers and texts inside functions, and adds some unused constants."""
    tree = parse(text)
    if tree is None:
        return text
    window = SourceWindow("x.py", text, tree)
    taken = set(re.findall(r"\w+", text))
    found = [
        node
        for node in window.nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float | str)
        and not isinstance(node.value, bool)
        and node.lineno == node.end_lineno
        and window.function_of(node) is not None
        and isinstance(window.parents[node], ast.Call | ast.Compare | ast.BinOp | ast.Assign | ast.keyword)
        and window.source(node)[:1] in "\"'0123456789"
    ]
    changes: list[Change] = []
    lines: list[str] = []
    for node in rng.sample(found, min(len(found), rng.randint(1, 4))):
        name = new_name("LIMIT", words, rng)
        if name not in taken:
            taken.add(name)
            lines.append(f"{name} = {window.source(node)}")
            changes.append((*window.span(node), name))
    for _ in range(rng.choice((0, 1, 1, 2))):
        name = new_name("LIMIT", words, rng)
        if name not in taken:
            taken.add(name)
            values = (new_number("3", rng), new_number("0.5", rng), f'"{_word(words, rng)}"')
            lines.append(f"{name} = {rng.choice(values)}")
    if not lines:
        return text
    rng.shuffle(lines)
    at = 0
    for statement in tree.body:
        if isinstance(statement, ast.Import | ast.ImportFrom) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        ):
            at = window.line_span(1, window.last_line(statement))[1]
        else:
            break
    above = "\n" if at else ""
    rest = "" if text[at:].startswith("\n\n") else "\n\n"
    return apply_changes(text, [(at, at, above + "\n".join(lines) + "\n" + rest), *changes])
