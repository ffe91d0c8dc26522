"""Keys and items in the form of those that stand beside them: `fri` for *Fridays*, `2024-12-26` for
*26 December*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from spark_tui.intent.context.described_names import content_words, is_form_of, score_description
from spark_tui.intent.values.literals.date_formats import USUAL, is_date_in_format

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS = "January February March April May June July August September October November December"
_SERIES = tuple(tuple(re.findall(r"\w+", item)) for item in (_DAYS, _MONTHS))
_LEAST_SHORT = 2
_DAY = re.compile(
    r"(?P<day>\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:of\s+|de\s+)?(?P<month>[^\W\d_]+)\.?(?:\s+(?P<year>\d{4}))?"
)
_DAY_BEHIND = re.compile(
    r"(?P<month>[^\W\d_]+)\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{4}))?"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def known_key(text: str, keys: Sequence[str], new: bool = False) -> str | None:
    """The one key that words mean: in another case or number, shortened, or, if it may be no `new` one, by
    another word for it."""
    plain = text.strip().strip("`'\"")
    same = [key for key in keys if key.lower() == plain.lower()]
    if same:
        return same[0]
    if short := _shortened(plain, keys):
        return short if short in keys else None
    told = content_words(plain)
    alike = [key for key in keys if told and key[:1].isalpha() and score_description(told, key) >= 1.0]
    if new:
        alike = [key for key in alike if key.lower().rstrip("s") == plain.lower().rstrip("s")]
    return alike[0] if len(alike) == 1 else None


def new_key(text: str, keys: Sequence[str]) -> str | None:
    """A new key or item as those beside it are written: shortened, or a date; None where they have no such
    form."""
    return _shortened(text.strip().strip("`'\""), keys)


def _shortened(phrase: str, keys: Sequence[str]) -> str | None:
    """The name of a day or month, as long and in the case that the others have."""
    for series in _SERIES:
        phrase = phrase.lower()
        fits = [
            one
            for one in series
            if any(is_form_of(each, one.lower()) for each in (phrase, phrase.removesuffix("s")))
        ]
        lengths = {len(key) for key in keys}
        if not fits or not keys or not all(_begins(key, series) for key in keys):
            continue
        short = len(lengths) == 1 and lengths != {len(fits[0])} and min(lengths) >= _LEAST_SHORT
        text = fits[0][: lengths.pop()] if short else fits[0]
        cases = ((str.islower, str.lower), (str.isupper, str.upper))
        return next((change(text) for asks, change in cases if all(map(asks, keys))), text)
    return None


def _begins(key: str, series: Sequence[str]) -> bool:
    return len(key) >= _LEAST_SHORT and any(text.lower().startswith(key.lower()) for text in series)


def date_like(text: str, instruction: str, others: Sequence[str]) -> str | None:
    """A day that words say, in the format of dates that all others have; the year may stand elsewhere, or be
    the one that all others are of."""
    form = next(
        (one for one in USUAL if others and all(is_date_in_format(one, other) for other in others)), None
    )
    found = _DAY.search(text) or _DAY_BEHIND.search(text)
    if form is None or found is None:
        return None
    month = next((at for at, one in enumerate(_SERIES[1], 1) if _names_month(found["month"], one)), 0)
    years = {found["year"]} - {None} or set(_YEAR.findall(instruction))
    years = years or {str(datetime.strptime(other, form).year) for other in others}
    if not month or len(years) != 1:
        return None
    try:
        return datetime(int(years.pop() or 0), month, int(found["day"])).strftime(form)
    except ValueError:
        return None


def _names_month(text: str, month: str) -> bool:
    return is_form_of(text.lower(), month.lower()) or (
        len(text) == 3 and month.lower().startswith(text.lower())
    )
