"""Messages about the signs of a text that an edit wrote: *with a colon after the name*, *without the dot*,
*the letter in brackets*."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.amendments.exchanged_tokens import inner_text, is_string
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_MEANT = 0.85
_PIECE = re.compile(r"(?<!\{)\{[^{}]*\}(?!\})|[^\W_]+")
"""A value or a word of a text."""


def with_signs_said(order: Order, situation: Situation) -> Order:
    """The order as one for the only text that was written with other signs, where it says nothing else."""
    said = situation.instruction[order.start : order.end].strip(" .!")
    texts = {
        token.text for one in changes_of_edit(situation) for token in one.written() if is_string(token.text)
    }
    if len(texts) != 1 or not order.readings:
        return order
    shown = next(iter(texts))
    inner = inner_text(shown)
    made = set(_otherwise(inner, said, "f" in shown[: shown.index(inner)].lower() if inner else False))
    if len(made) != 1 or inner in made:
        return order
    whole = Span(-1, -1, made.pop(), True)
    return order.preferring(Reading("amend.message", _MEANT, {"message": (whole,)}))


def _otherwise(inner: str, said: str, formatted: bool) -> Iterator[str]:
    """The text with the signs that a message says."""
    words = _patterns()
    if found := words["without"].fullmatch(said):
        sign = _sign(found["sign"])
        if sign and inner.count(sign) == 1:
            yield inner.replace(sign, "")
    elif found := words["beside"].fullmatch(said):
        sign = _sign(found["sign"])
        behind = found["side"].lower() in followup_table()["signs"]["behind"]
        for piece in _pieces(inner, found["name"]) if sign else ():
            at = piece.end() if behind else piece.start()
            yield inner[:at] + sign + inner[at:]
    elif found := words["end"].fullmatch(said):
        if sign := _sign(found["sign"]):
            yield inner + sign
    elif found := words["around"].fullmatch(said):
        kinds = followup_table()["signs"]["around"]
        low, high = next(pair for pair, names in kinds.items() if found["kind"].lower() in names).split()
        for piece in _pieces(inner, found["name"]) if formatted or "%" not in inner else ():
            yield f"{inner[: piece.start()]}{low}{piece[0]}{high}{inner[piece.end() :]}"


def _pieces(inner: str, name: str) -> list[re.Match[str]]:
    """The only value or word of a text that is called so."""
    said = {word.lower() for word in split_name(phrases.without_articles(name))}
    pieces = list(_PIECE.finditer(inner))
    found = [one for one in pieces if said and said <= {word.lower() for word in split_name(one[0])}]
    exact = [one for one in found if {word.lower() for word in split_name(one[0])} == said]
    found = exact if len(exact) == 1 else found
    return found if len(found) == 1 else []


def _sign(name: str) -> str:
    return phrases.lookup("signs", phrases.without_articles(name).strip()) or ""


@lru_cache(maxsize=1)
def _patterns() -> dict[str, re.Pattern[str]]:
    """How signs are said: what goes, what comes beside something or at the end, what comes around it."""
    table = followup_table()["signs"]

    def longest(items: Iterable[str]) -> str:
        return "|".join(sorted(map(re.escape, items), key=len, reverse=True))

    def any_of(*kinds: str) -> str:
        return longest(item for kind in kinds for item in table[kind])

    names = longest(name for known in phrases.table()["signs"].values() for name in known)
    sign = rf"(?:(?:{longest(phrases.words('articles'))})\s+)?(?P<sign>{names})"
    around = longest(name for known in table["around"].values() for name in known)
    adds = rf"(?:(?:{any_of('adds')})\s+)*"
    forms = {
        "without": rf"(?:{any_of('without')})\s+{sign}",
        "beside": rf"{adds}{sign}\s+(?P<side>{any_of('behind', 'front')})\s+(?P<name>[\w ]+)",
        "end": rf"{adds}{sign}\s+(?:{any_of('end')})",
        "around": rf"{adds}(?P<name>[\w ]+?)\s+(?:{any_of('inside')})\s+(?P<kind>{around})",
    }
    return {kind: re.compile(form, re.IGNORECASE) for kind, form in forms.items()}
