"""What the reader sees of a token: the letters of ordinary words, and what a name is in the repository.

A name's own letters are not shown: `cust` and `total` are both "a local variable of this code". Words that
mean the same everywhere (keywords, builtins, error classes, numbers) are shown.
"""

from __future__ import annotations

import re
import unicodedata
import zlib
from dataclasses import dataclass
from functools import cache, lru_cache

from spark_tui.intent.words.readings import SymbolRoles
from spark_tui.intent.words.tokens import IDEOGRAPH, Token, Tokens
from spark_tui.tables import read_table

ROLES = (
    *("function", "class", "method", "parameter", "local", "variable", "constant", "attribute", "import"),
    *("module", "string", "keyword_argument", "decorator", "file", "config_key"),
)
PART_ROLES = ("part_callable", "part_class", "part_value")
FORMS = (
    *("keyword", "builtin", "number", "in_code", "in_quotes", "opens", "closes", "name_like", "error"),
    *("upper", "capital", "dunder", "snake", "camel", "dotted", "path", "called", "hidden", "glued"),
    *("line_start", "first", "last", "ideograph", "assigned", "single_quoted"),
)
FLAGS = (*ROLES, *PART_ROLES, *FORMS)
BUCKETS = 12288
_BIT = {name: 1 << place for place, name in enumerate(FLAGS)}
_CALLABLE = frozenset({"function", "method"})
_NO_ROLES: frozenset[str] = frozenset()
_COMMON = re.compile(r"[^\W\d_A-Z][^\W\d_A-Z]*(?:['’][^\W\d_]+)?|I|A")
_CAPITALISED = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]*(?:['’][^\W\d_]+)?")
_IDEOGRAPH = re.compile(IDEOGRAPH)
_ERROR = re.compile(r"(?:.*[a-z])?(?:Error|Exception|Warning|Interrupt|Iteration|Exit)$")


@dataclass(frozen=True, slots=True)
class TokenFeatures:
    """`word` is what is seen of the letters, `flags` a set of bits in the order of `FLAGS`."""

    word: str
    flags: int


@cache
def _well_known_names() -> dict[str, int]:
    table = read_table(__file__, "shown_names.toml")
    flags = {"keywords": _BIT["keyword"], "builtins": _BIT["builtin"], "well_known": 0}
    return {name: flags[key] for key in ("well_known", "builtins", "keywords") for name in table[key].split()}


def describe_tokens(tokens: Tokens, symbols: SymbolRoles) -> list[TokenFeatures]:
    """The features of each token of an instruction."""
    strings = {
        number
        for number, piece in enumerate(tokens.quoted)
        if "string" in symbols.roles(tokens.text[piece.inner_start : piece.inner_end])
    }
    items = tokens.items
    out: list[TokenFeatures] = []
    for place, token in enumerate(items):
        before = items[place - 1] if place else None
        after = items[place + 1] if place + 1 < len(items) else None
        flags = _place_flags(tokens, token, before, after)
        if token.inside in strings:
            flags |= _BIT["string"]
        word, more = _word(token, flags, symbols, before, after)
        out.append(TokenFeatures(word, flags | more))
    return out


def _place_flags(tokens: Tokens, token: Token, before: Token | None, after: Token | None) -> int:
    flags = 0
    if token.inside >= 0:
        piece = tokens.quoted[token.inside]
        flags |= _BIT["in_code"] if piece.code else _BIT["in_quotes"]
        if token.kind == "quote":
            flags |= _BIT["opens"] if token.start == piece.start else _BIT["closes"]
        elif piece.inner_start == token.start and piece.inner_end == token.end:
            flags |= _BIT["single_quoted"]
    if before is None:
        flags |= _BIT["first"]
    elif before.end == token.start:
        flags |= _BIT["glued"]
    elif "\n" in tokens.text[before.end : token.start]:
        flags |= _BIT["line_start"]
    if after is None:
        flags |= _BIT["last"]
    elif after.text == "(" and after.start == token.end:
        flags |= _BIT["called"]
    elif after.text == "=":
        flags |= _BIT["assigned"]
    return flags


def _word(
    token: Token, flags: int, symbols: SymbolRoles, before: Token | None, after: Token | None
) -> tuple[str, int]:
    text = token.text
    if token.kind == "ideograph":
        left = before.text if before is not None and before.kind == "ideograph" else ""
        right = after.text if after is not None and after.kind == "ideograph" else ""
        return f"\x01{left}\x01{text}\x01{right}", _BIT["ideograph"]
    if token.kind == "path":
        return "\x02path " + text.rpartition(".")[2].lower(), _BIT["path"] | _role_flags(symbols.roles(text))
    if token.kind == "number":
        return "\x02number " + text, _BIT["number"] | _role_flags(symbols.roles(text))
    if token.kind == "name":
        return _name(text, flags, symbols)
    if text < " ":
        return "\x02control", 0
    return text.lower().replace("’", "'"), 0


def _name(text: str, flags: int, symbols: SymbolRoles) -> tuple[str, int]:
    last = text.rpartition(".")[2]
    more = _form_flags(text, last)
    shown = _well_known_names().get(text)
    roles = symbols.roles(text) or (symbols.roles(last) if last != text else _NO_ROLES)
    more |= _role_flags(roles)
    if _ERROR.match(last):
        return "\x02error " + last, more | _BIT["error"]
    quoted = flags & (_BIT["in_code"] | _BIT["in_quotes"])
    code = quoted or more & (_BIT["snake"] | _BIT["camel"] | _BIT["dotted"]) or flags & _BIT["called"]
    if _IDEOGRAPH.match(text):
        return "\x02name", more | _BIT["hidden"]  # only one of the repository is a single token
    if shown is not None and (code or shown or _COMMON.fullmatch(text) is None):
        return ("\x02shown " + text if code or not _COMMON.fullmatch(text) else text.lower()), more | shown
    if more & _BIT["dunder"]:
        return "\x02shown " + text, more
    if quoted:
        return "\x02name", more | _BIT["hidden"]
    ordinary = _COMMON.fullmatch(text) or (
        _CAPITALISED.fullmatch(text) and (not roles or flags & (_BIT["first"] | _BIT["line_start"]))
    )
    if ordinary and not flags & _BIT["called"]:
        if len(text) > 2:
            more |= _part_flags(symbols.word_roles(text.lower()))
        return text.lower().replace("’", "'"), more
    if code or roles or more & _BIT["upper"]:
        return "\x02name", more | _BIT["hidden"]
    return text.lower().replace("’", "'"), more


@lru_cache(maxsize=4096)
def _role_flags(roles: frozenset[str]) -> int:
    return sum(_BIT[role] for role in roles if role in _BIT)


@lru_cache(maxsize=4096)
def _part_flags(roles: frozenset[str]) -> int:
    flags = _BIT["part_callable"] if roles & _CALLABLE else 0
    flags |= _BIT["part_class"] if "class" in roles else 0
    return flags | (_BIT["part_value"] if roles - _CALLABLE - {"class", "string"} else 0)


@lru_cache(maxsize=4096)
def _form_flags(text: str, last: str) -> int:
    flags = _BIT["name_like"] if text.isidentifier() else 0
    flags |= _BIT["dotted"] if last != text else 0
    if last.startswith("__") and last.endswith("__"):
        flags |= _BIT["dunder"]
    elif "_" in last:
        flags |= _BIT["snake"]
    if last.isupper() and len(last) > 1:
        flags |= _BIT["upper"]
    elif re.search(r"[a-z][A-Z]", last):
        flags |= _BIT["camel"]
    return flags | (_BIT["capital"] if last[:1].isupper() else 0)


@lru_cache(maxsize=1 << 16)
def fold_accents(word: str) -> str:
    """A word without accents, in the usual width."""
    text = unicodedata.normalize("NFKD", word)
    return "".join(char for char in text if not unicodedata.combining(char)) or word


@lru_cache(maxsize=1 << 15)
def grams(word: str) -> tuple[int, ...]:
    """The buckets of the pieces of a word: itself, its beginnings, and runs of three and four letters."""
    if word.startswith("\x01"):
        _, left, own, right = word.split("\x01")
        pieces = ["=" + own, *([f"<{left}{own}"] if left else []), *([f"{own}{right}>"] if right else [])]
    elif word.startswith("\x02"):
        kind, _, shown = word[1:].partition(" ")
        pieces = ["#" + kind, *([f"#{kind} {shown.lower()}"] if shown else [])]
        pieces += ["=" + shown.lower()] if kind == "shown" else []
    else:
        bare = fold_accents(word)
        marked = f"<{bare}>"
        pieces = ["=" + word, *(["=" + bare] if bare != word else [])]
        pieces += [marked[i : i + n] for n in (3, 4) for i in range(len(marked) - n + 1)]
        pieces += ["^" + bare[:5]] if len(bare) > 5 else []
    return tuple(zlib.crc32(piece.encode("utf-8", "surrogatepass")) % BUCKETS for piece in pieces)
