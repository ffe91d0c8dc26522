"""Names of the repository that are said in words: `chunk size`, `none algorithm`, `underscore abs underscore
timedelta`; and those of ideographs, between which and the words around them nothing stands."""

from __future__ import annotations

import keyword
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.intent.words.readings import SymbolRoles
from spark_tui.intent.words.tokens import Token, Tokens
from spark_tui.pysource.words import word_set

_MOST_WORDS = 7
_MOST_IDEOGRAPHS = 12
_LEAST_LETTERS = 2
_PREPOSITIONS = frozenset(("to", "in", "of", "for", "from", "with", "on", "at", "by", "as"))
_SYMBOLS = word_set("function class method parameter local variable constant attribute")
_UNDERSCORE = "underscore"


def join_spoken_names(tokens: Tokens, symbols: SymbolRoles) -> Tokens:
    """The tokens, where words in a row that spell a symbol are one name, the longest first."""
    items: list[Token] = []
    at = 0
    while at < len(tokens.items):
        found = next(_names(tokens, at, symbols), None)
        items.append(found[1] if found is not None else tokens.items[at])
        at = found[0] if found is not None else at + 1
    return replace(tokens, items=tuple(items))


def with_signs(words: str) -> str:
    """A name that is said with its signs: `underscore absolute` is `_absolute`."""
    parts = words.split()
    signs = sum(part.lower() == _UNDERSCORE for part in parts)
    if not 0 < signs < len(parts):
        return words  # alone it is a name itself
    return "".join("_" if part.lower() == _UNDERSCORE else part for part in parts)


def _names(tokens: Tokens, at: int, symbols: SymbolRoles) -> Iterator[tuple[int, Token]]:
    """The names that begin with a token, and the token after each."""
    if tokens.items[at].kind == "ideograph":
        yield from _of_ideographs(tokens, at, symbols)
        return
    end = at
    while end < len(tokens.items) and end - at < _MOST_WORDS and _goes_on(tokens, at, end):
        end += 1
    for last in range(end, at + 1, -1):
        words = [item.text for item in tokens.items[at:last]]
        name = next((item for item in _spelled(words) if symbols.roles(item) & _SYMBOLS), None)
        # In `rename move to go` the name is `move`, even if there is a `move_to`.
        begun = "_".join(words[:-1])
        leads_on = words[-1] == "to" and last < len(tokens.items) and symbols.roles(begun) & _SYMBOLS
        # In `a docstring to splitnum` it is `splitnum`, even if there is a `to_splitnum`.
        follows = words[0] in _PREPOSITIONS and symbols.roles("_".join(words[1:])) & _SYMBOLS
        # In `add import logging` the first word is the verb, even if there is an `add_import`.
        verb = at == 0 and keyword.iskeyword(words[1])
        if name is not None and not (leads_on or follows or verb):
            first = tokens.items[at]
            yield last, Token(first.start, tokens.items[last - 1].end, name, "name")


def _of_ideographs(tokens: Tokens, at: int, symbols: SymbolRoles) -> Iterator[tuple[int, Token]]:
    """The same of a name that begins with an ideograph; what it goes on with may be cut otherwise."""
    first, end = tokens.items[at], at + 1
    while end < len(tokens.items) and end - at < _MOST_IDEOGRAPHS and _is_glued(tokens, end):
        end += 1
    for last in range(end, at + 1, -1):
        name = tokens.text[first.start : tokens.items[last - 1].end]
        if symbols.roles(name) & _SYMBOLS:
            yield last, Token(first.start, first.start + len(name), name, "name", first.inside)


def _is_glued(tokens: Tokens, at: int) -> bool:
    before, one = tokens.items[at - 1], tokens.items[at]
    part = one.kind in ("ideograph", "name", "number") or one.text == "_"
    return part and before.end == one.start and before.inside == one.inside


def _goes_on(tokens: Tokens, at: int, end: int) -> bool:
    """Whether a token is a plain word after the one before it."""
    one = tokens.items[end]
    between = tokens.text[tokens.items[end - 1].end : one.start] if end > at else " "
    return one.kind == "name" and one.inside < 0 and one.text.isalpha() and between == " "


def _spelled(words: Sequence[str]) -> Iterator[str]:
    """The ways to write a name of these words."""
    plain = [word.lower() for word in words]
    if _UNDERSCORE in plain:
        yield "".join("_" if item == _UNDERSCORE else item for item in plain)
    elif all(len(item) >= _LEAST_LETTERS for item in plain):
        titled = [item.capitalize() for item in plain]
        yield "_".join(plain)
        yield "_" + "_".join(plain)
        yield "".join(titled)
        yield plain[0] + "".join(titled[1:])
        yield "_".join(plain).upper()
