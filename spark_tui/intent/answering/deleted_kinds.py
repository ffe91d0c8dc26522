"""Messages that only say that all of a kind goes: *delete all functions except load*. The network was trained
on none."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.building.whole_kinds import is_overloads, kind_said
from spark_tui.intent.context.left_out_by_number import is_by_number
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_LIKELY = 0.95
_NAME = re.compile(r"(?!\d)\w[\w.]*")


def with_deleted_kinds(text: str, orders: tuple[Order, ...]) -> tuple[Order, ...]:
    """The one order with such a reading alone, where no word says more."""
    found = _pattern().search(text) or _overloads().search(text)
    idle = {*phrases.words("articles")}
    words = set(re.findall(r"\w+", text[: found.start()].lower())) - idle if found is not None else set()
    only_deletes = bool(words) and words <= {*phrases.words("deleting")}
    if found is None or not only_deletes or not (kind_said(found["kind"]) or is_overloads(found["kind"])):
        return orders
    idle |= {word for kind in ("and", "ones", "those") for word in phrases.words(kind)}
    whole, behind = _span(found, "left"), _span(found, "behind")
    named = [one for one in _NAME.finditer(whole.text) if not idle & {low := one[0].lower(), low.rstrip("s")}]
    left = tuple(Span(whole.start + one.start(), whole.start + one.end(), one[0]) for one in named)
    slots = {_slot_of(found, part): (_span(found, part),) for part in ("owner", "behind") if found[part]}
    if whole.text and not left:  # *those in Cart*
        if not behind.text or behind.text.endswith(".py"):
            return orders
        left, slots = (behind,), {kind: spans for kind, spans in slots.items() if behind not in spans}
    slots["symbol"] = (_span(found, "kind"),)
    reading = Reading("remove_definition", _LIKELY, slots, left, everywhere=True)
    if left and is_by_number(whole, reading, text):
        reading = replace(reading, left_out=(whole,))
    return (Order(0, len(text), (reading,)),)


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
def _pattern() -> re.Pattern[str]:
    every, articles, inside, excepting = (
        "|".join(map(re.escape, phrases.words(kind)))
        for kind in ("every", "articles", "of_class", "excepting")
    )
    place = rf"\s+(?:{inside})\s+(?:(?:{articles})\s+)*[`'\"]?(?P<{{}}>[\w./-]*\w)[`'\"]?(?:\(\))?"
    name = rf"(?!(?:{inside})\s)[`'\"]?(?!\d)\w[\w.]*(?:\(\))?[`'\"]?"
    but = rf",?\s+(?:but|except|{excepting})\s+(?P<left>{name}(?:(?:\s*,\s*|\s+){name})*)"
    owner = rf"(?:{place.format('owner')})?(?:{but}(?:{place.format('behind')})?)?"
    kind = rf"(?<!\w)(?:{every})\s+(?:(?:of|{articles})\s+)*(?P<kind>\w+)"
    return re.compile(rf"{kind}{owner}[\s.!]*\Z", re.IGNORECASE)
