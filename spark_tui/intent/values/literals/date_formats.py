"""Formats of dates from samples of them: `2024-03-31` and `YYYY-MM-DD` are `%Y-%m-%d`."""

from __future__ import annotations

import re
from datetime import datetime

DATE_FIELD = re.compile(r"%[aAbBdHIjmMpSyY]")
_GROUP = re.compile(r"\d+|[^\W\d_]+")
_FIELDS = ("%Y", "%m", "%d", "%H", "%M", "%S", "%y", "%I", "%B", "%b", "%A", "%a", "%p", "%j")
_LETTERS = {"yyyy": "%Y", "yy": "%y", "mm": "%m", "dd": "%d", "hh": "%H", "ss": "%S"}
_WORDS = {
    **dict.fromkeys(("year", "jahr", "année", "año", "年"), "%Y"),
    **dict.fromkeys(("month", "monat", "mois", "mes", "月"), "%m"),
    **dict.fromkeys(("day", "tag", "jour", "día", "日"), "%d"),
}
_BEGUN = {"%Y": ("%Y", "%m", "%d"), "%m": ("%m", "%d", "%Y"), "%d": ("%d", "%m", "%Y")}
_NAMED = {
    "%m/%d/%Y": ("american", "us", "amerikanisch", "amerikanische", "américain", "americano", "美式"),
    "%d.%m.%Y": ("german", "deutsch", "deutsche", "allemand", "alemán", "德式"),
    "%d/%m/%Y": ("british", "french", "european", "europäisch", "français", "européen", "europeo"),
    "%Y-%m-%d": ("iso", "iso 8601", "iso-format"),
}
"""What formats are called after those who write dates so."""
USUAL = (
    *("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y"),
    *("%d.%m.%y", "%d %B %Y", "%d %b %Y", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%H:%M", "%H:%M:%S"),
)


def date_format(form: str, old: str, new: str) -> str | None:
    """The format of dates that gives a new sample, or that letters or words spell (`YYYY-MM-DD`)."""
    if spelled := _spelled(new):
        return spelled
    if (words := re.findall(r"[^\W\d_]+", new.lower())) and len(words) == 3 and set(words) <= _WORDS.keys():
        return _GROUP.sub(lambda found: _WORDS[found[0].lower()], new)
    if not old:
        return next((item for item in USUAL if is_date_in_format(item, new)), None)
    when = _read(form, old)
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


def called_format(text: str) -> str:
    """The format of dates that is called so: *American*, *ISO*."""
    return next((form for form, names in _NAMED.items() if text.lower() in names), "")


def reorder_date_format(form: str, phrase: str) -> str | None:
    """A format with its year, month and day in the order in which words name them last; of one that is named
    alone, in the usual one that begins with it."""
    words = [_WORDS[item] for item in re.findall(r"[^\W\d_]+", phrase.lower()) if item in _WORDS]
    order = list(dict.fromkeys(reversed(words)))[::-1]
    order = list(_BEGUN[order[0]]) if len(order) == 1 else order
    fields = [item for item in DATE_FIELD.findall(form) if item in ("%Y", "%y", "%m", "%d")]
    if len(order) != 3 or sorted(map(str.lower, order)) != sorted(map(str.lower, fields)):
        return None
    rest = iter(sorted(fields, key=lambda text: [text.lower() for text in order].index(text.lower())))
    made = re.sub("|".join(fields), lambda _: next(rest), form)
    return made if made != form else None


def _spelled(text: str) -> str:
    """The format of `YYYY-MM-DD` or `dd.mm.yy`."""
    parts = _GROUP.findall(text.lower())
    if len(parts) < 2 or any(part not in _LETTERS for part in parts) or "dd" not in parts:
        return ""
    made = _GROUP.sub(lambda found: _LETTERS[found[0].lower()], text)
    head, hour, rest = made.partition("%H")
    return head + hour + rest.replace("%m", "%M") if hour else made


def is_date_in_format(form: str, text: str) -> bool:
    """Whether a text is a date in a format."""
    return _read(form, text) is not None


def _read(form: str, text: str) -> datetime | None:
    """The date that a text is in a format; none of a format with a field twice, as `%d` of numbers may be."""
    try:
        return datetime.strptime(text, form)
    except (ValueError, re.error):
        return None


def is_date_format(text: object) -> bool:
    """Whether a value is the format of a date: two fields of one at least."""
    return isinstance(text, str) and len(DATE_FIELD.findall(text)) > 1
