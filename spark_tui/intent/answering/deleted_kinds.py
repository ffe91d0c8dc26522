"""Messages that only say that all of a kind goes: *delete all functions except load*. The network was trained
on none."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from spark_tui.intent.building.whole_kinds import is_overloads, kind_said
from spark_tui.intent.context.left_out_by_number import is_by_number
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Reads, Span, SymbolRoles

_LIKELY = 0.95
_READ = 0.6
"""How likely what follows is read to be an order of its own."""
_MOST_JOINS = 40
"""Places at which a message may be two orders."""
_NAME = re.compile(r"(?!\d)\w[\w.]*")


def with_deleted_kinds(
    text: str, orders: tuple[Order, ...], reader: Reads, symbols: SymbolRoles
) -> tuple[Order, ...]:
    """The orders, those with such a reading alone of which no word says more. What follows one or stands in
    front, and is surely read, is an order of its own."""
    for join in islice(re.finditer(rf"{phrases.joining()}|[,;.]\s", text), _MOST_JOINS):
        begins = re.compile(r"\w+").search(text, join.end())
        if begins is None or begins[0] in phrases.words("and") or symbols.roles(begins[0]):
            continue  # one more thing that stays
        if _exception().match(text, join.end()):
            continue
        if (first := _deleted_kind(text, Order(0, join.start(), ()), symbols)) is None:
            continue
        rest = reader.read(" " * join.end() + text[join.end() :], symbols)
        if rest and rest[0].readings and rest[0].readings[0].probability >= _READ:
            return (first, *(replace(one, start=max(one.start, join.end())) for one in rest))
    for join in islice(re.finditer(phrases.joining(), text), _MOST_JOINS):
        last = _deleted_kind(text, Order(join.end(), len(text), ()), symbols)
        front = reader.read(text[: join.start()], symbols) if last is not None else ()
        if last and front and all(one.readings and one.readings[0].probability >= _READ for one in front):
            return (*front, last)
    return tuple(_deleted_kind(text, order, symbols) or order for order in orders)


def _deleted_kind(text: str, order: Order, symbols: SymbolRoles) -> Order | None:
    """An order that only says that all of a kind goes; what was read as further words of it, too."""
    text = " " * order.start + text[order.start : max(order.end, 1)].rstrip(" ,;")
    found = _pattern().search(text) or _overloads().search(text)
    idle = {*phrases.words("articles")}
    words = set(re.findall(r"\w+", text[: found.start()].lower())) - idle if found is not None else set()
    only_deletes = bool(words) and words <= {*phrases.words("deleting")}
    if found is None or not only_deletes or not (kind_said(found["kind"]) or is_overloads(found["kind"])):
        return None
    idle |= {word for kind in ("and", "ones", "those") for word in phrases.words(kind)}
    whole, behind = _span(found, "left"), _span(found, "behind")
    said = [*_NAME.finditer(whole.text)]
    named = [
        one for one, front in zip(said, (None, *said), strict=False) if _is_name(one, front, idle, symbols)
    ]
    left = tuple(Span(whole.start + one.start(), whole.start + one.end(), one[0]) for one in named)
    slots = {_slot_of(found, part): (_span(found, part),) for part in ("owner", "behind") if found[part]}
    if whole.text and not left:  # *those in Cart*
        if not behind.text or behind.text.endswith(".py"):
            return None
        left, slots = (behind,), {kind: spans for kind, spans in slots.items() if behind not in spans}
    slots["symbol"] = (_span(found, "kind"),)
    reading = Reading("remove_definition", _LIKELY, slots, left, everywhere=True)
    if left and is_by_number(whole, reading, text):
        reading = replace(reading, left_out=(whole,))
    return Order(order.start, order.end, (reading,))


def _is_name(
    word: re.Match[str], front: re.Match[str] | None, idle: Container[str], symbols: SymbolRoles
) -> bool:
    """Whether a word among those that stay is a name: *A* and *one* may be, without an article in front."""
    low = word[0].lower()
    if low not in idle and low.rstrip("s") not in idle:
        return True
    article = phrases.is_said("articles", word[0]) and word[0] == low
    behind = front is not None and phrases.is_said("articles", front[0])
    return not article and not behind and bool(symbols.roles(word[0]))


def _span(found: re.Match[str], part: str) -> Span:
    return Span(*found.span(part), found[part] or "")


def _slot_of(found: re.Match[str], part: str) -> str:
    if found[part].endswith(".py"):
        return "file"
    return "function" if is_overloads(found["kind"]) else "class"


@lru_cache(maxsize=1)
def _overloads() -> re.Pattern[str]:
    """Those of one function or file, or all."""
    kinds, inside = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("overloads", "of_class"))
    owner = rf"(?:\s+(?:{inside})\s+[`'\"]?(?P<owner>[\w./-]*\w)[`'\"]?(?:\(\))?)?(?P<behind>)(?P<left>)"
    return re.compile(rf"(?<![\w@])(?P<kind>{kinds}){owner}[\s.!]*\Z", re.IGNORECASE)


@lru_cache(maxsize=1)
def _exception() -> re.Pattern[str]:
    return re.compile(rf"\W*(?:{'|'.join(phrases.words('excepting'))}|but|except)(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    every, articles, inside, excepting = (
        "|".join(map(re.escape, phrases.words(kind)))
        for kind in ("every", "articles", "of_class", "excepting")
    )
    place = rf"\s+(?:{inside})\s+(?:(?:{articles})\s+)*[`'\"]?(?P<{{}}>[\w./-]*\w)[`'\"]?(?:\(\))?"
    name = rf"(?!(?:{inside})\s)[`'\"]?(?!\d)\w[\w.]*(?:\(\))?[`'\"]?"
    but = rf",?\s+\(?(?:{excepting}|but|except)\s+(?P<left>{name}(?:(?:\s*,\s*|\s+){name})*)"
    owner = rf"(?:{place.format('owner')})?(?:{but}(?:{place.format('behind')})?)?"
    kind = rf"(?<!\w)(?:{every})\s+(?:(?:of|{articles})\s+)*(?P<kind>\w+)"
    return re.compile(rf"{kind}{owner}[\s.!)]*\Z", re.IGNORECASE)
