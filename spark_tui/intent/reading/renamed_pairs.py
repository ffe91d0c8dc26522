"""Several renames under one verb: `rename a to b and c to d`, `rename a and c of f to b and d`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from spark_tui.intent.words.phrases import is_said, words
from spark_tui.intent.words.readings import Order, Reading, Reads, Span, SymbolRoles
from spark_tui.intent.words.tokens import Token, Tokens, tokenize

_SIGNS = frozenset((",", ";", "&", "，", "、"))
_ARROWS = frozenset(("->", "=>", "→"))
_MOST_BETWEEN = 4
_MOST_FURTHER = 2
_PLAIN = re.compile("[a-z]+")
_BETWEEN = ("to", "of_class", "places_in")
_IDLE = ("articles", "pronouns", "kinds", "also", "just", "everywhere", "every", "here", "copulas", "wishes")
"""Kinds of words that are no part of a name: those only in front of its last word, and these nowhere."""


@dataclass(frozen=True)
class _Pair:
    """A name, its new name, and the characters that are about them: one piece, or one for each."""

    old: Token
    new: Token
    pieces: tuple[tuple[int, int], ...]
    last: Token | None = None
    """The last word of a new name of several."""


def renamed_apart(text: str, reader: Reads, symbols: SymbolRoles, earlier: str) -> tuple[Order, ...] | None:
    """An order for each rename; None where there are not several, or where none of them, read without the
    names of the others, is a rename."""
    tokens = tokenize(text)
    items = [item for item in tokens.items if item.kind != "quote"]
    apart = list(_one_by_one(items, tokens, _MOST_FURTHER))
    if len({pair.last is None for pair in apart}) > 1:  # names of several words are so in each pair
        apart = list(_one_by_one(items, tokens, 0))
    for pairs in (apart, list(_lists(items, tokens))):
        if len(pairs) < 2:
            continue
        read = [(pair, reader.read(_alone(text, pair, pairs), symbols, earlier)) for pair in pairs]
        alike = [orders[0].readings[0] for pair, orders in read if _is_of(orders, pair)]
        if alike:
            best = max(alike, key=lambda item: item.probability)
            first = _order(pairs[0], best, tokens, None)
            further = (
                _order(two, best, tokens, _owner(one, two, items)) for one, two in itertools.pairwise(pairs)
            )
            return (replace(first, start=0), *further)
    return None


def _owner(pair: _Pair, following: _Pair, items: Sequence[Token]) -> Token | None:
    """The function whose parameter the second name is: *f to g and its parameter a to b*."""
    end, start = (pair.last or pair.new).end, following.old.start
    between = (token.text.lower() for token in items if end <= token.start < start)
    return pair.old if any(word in words("parameters") for word in between) else None


def _order(pair: _Pair, like: Reading, tokens: Tokens, owner: Token | None) -> Order:
    """The order of a pair, whose verb and place are those of another one."""
    start, end = pair.pieces[0]
    new = _span(pair.new, tokens)
    if pair.last is not None:
        new = Span(pair.new.start, pair.last.end, tokens.text[pair.new.start : pair.last.end])
    slots = {"symbol": (_span(pair.old, tokens),), "new": (new,)}
    if owner is not None:
        slots["function"] = (_span(owner, tokens),)
    reading = replace(like, slots={**like.slots, **slots}, unsure={})
    return Order(start, end, (reading,))


def _span(token: Token, tokens: Tokens) -> Span:
    start, end = _extent(token, tokens)
    return Span(start, end, token.text, token.inside >= 0)


def _one_by_one(items: Sequence[Token], tokens: Tokens, most_further: int) -> Iterator[_Pair]:
    """Each name in front of its new one, as long as nothing but joining words stands between them."""
    end, to, several = 0, "", 0
    for at in range(len(items)):
        new = _behind_to(items, at + 1)
        if not _is_name(items[at]) or not new or (end and not _only_joins(items[end:at])):
            continue
        # "a" stands for "to" in some languages, and not beside one: `rename f to g and add a docstring`.
        if to not in ("", items[at + 1].text.lower()):
            continue
        to = items[at + 1].text.lower()
        more = min(_further_words(items, new, several), most_further)
        several, end = max(several, more), new + more + 1
        low, high = _extent(items[at], tokens)[0], _extent(items[end - 1], tokens)[1]
        yield _Pair(items[at], items[new], ((low, high),), items[end - 1] if more else None)


def _further_words(items: Sequence[Token], at: int, several: int) -> int:
    """How many words a new name has behind its first: those in front of *and*, or at the end as many as the
    names before it had. A preposition is only the last of them: *put in*, but not *text in find*."""
    words_behind = []
    for item in items[at : at + 2 + _MOST_FURTHER]:
        if _joins(item):
            break
        if item.kind != "name" or item.inside >= 0 or not _PLAIN.fullmatch(item.text):
            return 0
        words_behind.append(item.text)
    else:
        words_behind = words_behind if len(items) == at + several + 1 == at + len(words_behind) else []
    idle = any(is_said(kind, word) for kind in _IDLE for word in words_behind)
    idle = idle or any(is_said(kind, word) for kind in _BETWEEN for word in words_behind[:-1])
    return 0 if idle or not words_behind else len(words_behind) - 1


def _lists(items: Sequence[Token], tokens: Tokens) -> Iterator[_Pair]:
    """The names of a list with those of as long a list after a word such as `to`."""
    for at in range(len(items)):
        start = _behind_to(items, at)
        new = _listed(items, start) if start else []
        runs = (_listed(items, low) for low in range(at)) if len(new) > 1 else iter(())
        old = next((run for run in runs if len(run) == len(new)), None)
        if old is not None:
            for one, two in zip(old, new, strict=True):
                yield _Pair(one, two, (_extent(one, tokens), _extent(two, tokens)))
            return


def _listed(items: Sequence[Token], at: int) -> list[Token]:
    """The names that begin at a token and are joined by commas and `and`."""
    out = []
    while at < len(items) and _is_name(items[at]):
        out.append(items[at])
        at += 1
        if at < len(items) and not _joins(items[at]):
            break
        while at < len(items) and _joins(items[at]):
            at += 1
    return out


def _behind_to(items: Sequence[Token], at: int) -> int:
    """The place of the name after words such as `to` that stand at a place; 0 where there is none."""
    start = at
    while at < len(items) and (items[at].text.lower() in words("to") or items[at].text in _ARROWS):
        at += 1
    return at if at > start and at < len(items) and _is_name(items[at]) else 0


def _is_name(token: Token) -> bool:
    return token.kind == "name" and not _joins(token) and token.text.lower() not in words("to")


def _joins(token: Token) -> bool:
    return token.text in _SIGNS or token.text.lower() in (*words("and"), *words("more"))


def _only_joins(between: Sequence[Token]) -> bool:
    if not 0 < len(between) <= _MOST_BETWEEN:
        return False
    filler = {*words("articles"), *words("kinds")}
    return _joins(between[0]) and all(_joins(token) or token.text.lower() in filler for token in between)


def _extent(token: Token, tokens: Tokens) -> tuple[int, int]:
    """The characters of a name, with the quotes around it."""
    piece = tokens.quoted[token.inside] if token.inside >= 0 else token
    return piece.start, piece.end


def _alone(text: str, pair: _Pair, pairs: Sequence[_Pair]) -> str:
    """The text with blanks where the other pairs stand, and what joins them."""
    for at, (start, end) in enumerate(pair.pieces):
        low = min(item.pieces[at][0] for item in pairs)
        high = max(item.pieces[at][1] for item in pairs)
        text = text[:low] + " " * (start - low) + text[start:end] + " " * (high - end) + text[high:]
    return text


def _is_of(orders: Sequence[Order], pair: _Pair) -> bool:
    """Whether one order is read, the rename of a pair."""
    if len(orders) != 1 or not orders[0].readings:
        return False
    first = orders[0].readings[0]
    new = first.slots.get("new", ())
    within = pair.last is not None and len(new) == 1 and pair.new.start <= new[0].start < pair.last.end
    found = within or _holds(new, pair.new)
    return first.intent == "rename" and found and _holds(first.slots.get("symbol", ()), pair.old)


def _holds(spans: Sequence[Span], token: Token) -> bool:
    return len(spans) == 1 and spans[0].start <= token.start and token.end <= spans[0].end
