"""The parts of an instruction that may be orders of their own, and what was read of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from spark_tui.intent.reading.features import TokenFeatures
from spark_tui.intent.reading.network import Encoded, Network
from spark_tui.intent.reading.shared_places import IT, subject
from spark_tui.intent.reading.word_counts import is_code
from spark_tui.intent.words.phrases import joining, table, words
from spark_tui.intent.words.readings import Order, Reading, SymbolRoles
from spark_tui.intent.words.tokens import Token, Tokens

JOIN, BEHIND = 2.5, 6.0
"""How much likelier a further beginning is at a word that joins, and at one that says that more follows."""
CLEAR = 0.7
"""How sure an order has to be for another one to mean by `it` what that is about."""
_FOLLOWS = frozenset(words("more"))
_JOINS = _FOLLOWS | {"and", "but", "&", "+", ",", ";", "und", "et", "y", "，", "；"}
_LISTING = frozenset((",", "，", "&", *words("and")))
"""What stands between the names of a list."""
_LISTED = 3
_WITH = frozenset(("with", "mit", "avec", "con", "after", "behind"))
"""Words that begin what belongs to the words before them: `log it with the email`, `all after servers`."""
_STOPS = frozenset((".", "。", ":", "\n"))
MOST_CHARACTERS = 12_000
"""Of an instruction that is read; what is longer is a pasted text, of which the end is kept, too."""


@dataclass(slots=True)
class ReadText:
    """An instruction, and what was read of it and of its parts: several ways to split it have parts in
    common, and another one may be tried when it was read."""

    text: str
    tokens: Tokens
    features: Sequence[TokenFeatures]
    symbols: SymbolRoles
    earlier: str
    encoded: Encoded = field(init=False)
    as_first: Encoded | None = None
    """As if no edit had been done before."""
    starts: list[int] = field(default_factory=list)
    orders: tuple[Order, ...] = ()
    alone: dict[tuple[int, int], Encoded] = field(default_factory=dict)
    """The parts from one token to another, as if the instruction were no more than that."""
    readings: dict[tuple[int, int, bool, tuple[Token, ...]], tuple[Reading, ...]] = field(
        default_factory=dict
    )
    """Of a part by whether there are others, and by its tokens with the meaning of `it`."""

    def encode(self, network: Network, known: Sequence[ReadText]) -> None:
        """Make the vectors. What follows an edit is often read as the first message, too, and one pass for
        both takes little longer than for one. `known` is the same text, read after another edit."""
        both = [(self.features, earlier) for earlier in dict.fromkeys((self.earlier, ""))]
        if not known:
            found = network.encode_each(both)
            self.encoded, self.as_first = found[0], found[-1]
        elif self.earlier or known[0].as_first is None:
            self.encoded = network.encode(*both[0])
        else:
            self.encoded = known[0].as_first


def clipped(text: str) -> str:
    if len(text) <= MOST_CHARACTERS:
        return text
    return text[: MOST_CHARACTERS // 2] + "\n" + text[-MOST_CHARACTERS // 2 :]


def with_name(items: tuple[Token, ...], before: Sequence[Order], symbols: SymbolRoles) -> tuple[Token, ...]:
    """The tokens of an order with the name of what the order before is surely about in place of `it`, unless
    another name stands in front."""
    at = next((place for place, one in enumerate(items) if one.text.lower() in IT), -1)
    sure = [order for order in before[::-1] if order.readings and order.readings[0].probability >= CLEAR]
    name = next(filter(None, map(subject, sure)), "")
    own = (token.inside >= 0 or is_code(token) or symbols.roles(token.text) for token in items[: max(at, 0)])
    if at < 0 or not name or any(own):
        return items
    return (*items[:at], replace(items[at], text=name), *items[at + 1 :])


def joining_scores(tokens: Tokens) -> list[float]:
    """For each token how much likelier it begins a further order by what it is: a joining word, one that says
    that more follows, or the first one of a line or sentence."""
    text, items = tokens.text, tokens.items
    out = []
    for at, token in enumerate(items):
        two = {item.text.lower() for item in items[at : at + 2]}
        joins = token.text.lower() in _JOINS
        stops = token.text in ".。" and not text[token.end : token.end + 1].strip()
        begins = at > 0 and "\n" in text[items[at - 1].end : token.start]
        out.append(BEHIND if joins and two & _FOLLOWS else JOIN if joins or stops or begins else 0.0)
    return out


_LONGEST_OWNER = 24
_OWNED = re.compile(
    r"(?:(?<!\w)(?:the|an?|after|behind|into|from|except|außer|sauf|salvo)|"
    r"(?<![\w'’])(?!(?:let|that|it|here|there|what)['’])[\w.]+['’]s)\s+\Z",
    re.IGNORECASE,
)
"""What a noun follows: *the*, *ruff's*, *after*, *except*."""


def going_on(tokens: Tokens, symbols: SymbolRoles | None = None) -> list[int]:
    """The tokens that continue what is no longer to be done, `instead of printing`, `and returning None`, or
    that say once more what is: `ie sorted by date`, or that stand behind an article, a possessive, a
    preposition or *except*, or in a list of names."""
    places = [found.span(2) for found in _no_longer().finditer(tokens.text)]
    places += [found.span(1) for found in _logged_and_left().finditer(tokens.text)]
    places += [found.span() for found in _said_again().finditer(tokens.text)]
    every, names = tokens.items, set(_listed(tokens, symbols) if symbols is not None else ())
    return [
        at
        for at, token in enumerate(every)
        if at in names
        or any(start <= token.start < end for start, end in places)
        or (at and token.text.lower() in _WITH and every[at - 1].text.lower() not in {*_JOINS, *_STOPS})
        or _OWNED.search(tokens.text, max(token.start - _LONGEST_OWNER, 0), token.start) is not None
    ]


def _listed(tokens: Tokens, symbols: SymbolRoles) -> list[int]:
    """The tokens that go on with a list of three names or more that begins or ends a sentence: *load, save
    and scan*."""
    out, run, names = list[int](), list[int](), 0
    plain = [at for at, token in enumerate(tokens.items) if token.kind != "quote"]
    begins = True
    for at in (*plain, len(tokens.items)):
        token = tokens.items[at] if at < len(tokens.items) else None
        text = token.text.lower() if token is not None else "."
        joined = bool(run) and tokens.items[run[-1]].text.lower() in _LISTING
        if text in _LISTING and run:
            run.append(at)
        elif token is not None and (is_code(token) or symbols.roles(token.text)):
            begins = begins and (joined or not run)
            run, names = (run if joined else []), (names if joined else 0) + 1
            run.append(at)
        else:
            out += run[1:] if names >= _LISTED and not joined and (begins or text in _STOPS) else []
            run, names, begins = [], 0, text in _STOPS
    return out


@lru_cache(maxsize=1)
def _said_again() -> re.Pattern[str]:
    """The words that begin what was said already, with the one behind them."""
    front = "|".join(map(re.escape, words("said_again")))
    return re.compile(rf"(?:[,;(]\s*)?(?<!\w)(?:{front})(?!\w)\W*(?:\w+\W?)?", re.IGNORECASE)


@lru_cache(maxsize=1)
def _logged_and_left() -> re.Pattern[str]:
    """How a function is left behind the log call that stands for an error: *log it and return instead of
    raising*."""
    leaving, throwing, of = (
        "|".join(map(re.escape, words(one))) for one in ("leave", "throwing", "exchanged")
    )
    left = rf"({joining()} (?:just |then )?(?:{leaving}))(?!\w)"
    return re.compile(rf"(?i)(?<!\w)(?:log|warn|print)\w*\b[^.;\n]*?{left}[^.;\n]*? (?:{of}) (?:{throwing})")


@lru_cache(maxsize=1)
def _no_longer() -> re.Pattern[str]:
    """Two verbs of one form behind *instead of*, the second one with what joins them."""
    front, of = "|".join(map(re.escape, table()["tied"]["instead"])), r"(?:of |de |d')?"
    verbs = rf"{of}\w+?(ing|r)\b[^.;\n]*?({joining()} {of}\w+\1\b)"
    return re.compile(rf"(?<!\w)(?:{front}) {verbs}", re.IGNORECASE)
