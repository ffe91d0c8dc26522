"""Messages that only say that all of a kind goes: *delete all functions except load*. The network was trained
on none."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.building.whole_kinds import is_overloads, kind_said
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
    slots = {"symbol": (Span(*found.span("kind"), found["kind"]),)}
    for part in ("owner", "behind"):
        if found[part]:
            slots[_slot_of(found, part)] = (Span(*found.span(part), found[part]),)
    idle |= {*phrases.words("and"), *phrases.words("ones")}
    at = found.start("left")
    named = [one for one in _NAME.finditer(found["left"] or "") if one[0].lower() not in idle]
    left = tuple(Span(at + one.start(), at + one.end(), one[0]) for one in named)
    reading = Reading("remove_definition", _LIKELY, slots, left, everywhere=True)
    return (Order(0, len(text), (reading,)),)


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
