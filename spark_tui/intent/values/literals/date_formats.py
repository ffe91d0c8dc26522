"""Formats of dates from samples of them: `2024-03-31` and `YYYY-MM-DD` are `%Y-%m-%d`."""

from __future__ import annotations

import re
from datetime import datetime

DATE_FIELD = re.compile(r"%[aAbBdHIjmMpSyY]")
_YEAR = re.compile(r"%[yYGcx]")
_GROUP = re.compile(r"\d+|[^\W\d_]+")
_FIELDS = ("%Y", "%m", "%d", "%H", "%M", "%S", "%y", "%I", "%B", "%b", "%A", "%a", "%p", "%j")
_LETTERS = {"yyyy": "%Y", "yy": "%y", "mm": "%m", "dd": "%d", "hh": "%H", "ss": "%S"}
USUAL = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y"),
    *("%d.%m.%y", "%d %B %Y", "%d %b %Y", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%H:%M", "%H:%M:%S"),
)


def date_format(form: str, old: str, new: str) -> str | None:
    """The format of dates that gives a new sample, or that letters spell (`YYYY-MM-DD`)."""
    if spelled := _spelled(new):
        return spelled
    if not old:
        return next((item for item in USUAL if is_date_in_format(item, new)), None)
    when = _parse_date(form, old)
    if when is None:
        return None
    used: list[str] = [*DATE_FIELD.findall(form), *_FIELDS]

    def field(found: re.Match[str]) -> str:
        fits = [item for item in used if when.strftime(item) == found[0]]
        if not fits:
            return found[0]
        used.remove(fits[0])
        return fits[0]

    made = _GROUP.sub(field, new)
    return made if made != new and when.strftime(made) == new else None


def _spelled(text: str) -> str:
    """The format of `YYYY-MM-DD` or `dd.mm.yy`."""
    parts = _GROUP.findall(text.lower())
    if len(parts) < 2 or any(part not in _LETTERS for part in parts) or "dd" not in parts:
        return ""
    made = _GROUP.sub(lambda found: _LETTERS[found[0].lower()], text)
    head, hour, rest = made.partition("%H")
    return head + hour + rest.replace("%m", "%M") if hour else made


def is_date_in_format(form: str, text: str) -> bool:
    return _parse_date(form, text) is not None


def _parse_date(form: str, text: str) -> datetime | None:
    """The date that a text is in a format; none of a format with a field twice, as `%d` of numbers may be.
    A date without a year is one of the leap year 2000: Python 3.13 warns where none is given."""
    if not _YEAR.search(form):
        text, form = f"2000 {text}", f"%Y {form}"
    try:
        return datetime.strptime(text, form)
    except (ValueError, re.error):
        return None
