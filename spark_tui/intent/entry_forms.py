"""Keys and items in the form of those that stand beside them: `fri` for *Fridays*, `2024-12-26` for
*26 December*, a tuple or dictionary from the values that are said for its parts."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from datetime import datetime

from spark_tui.intent.date_formats import USUAL, shows
from spark_tui.intent.described_names import content_words, means, score
from spark_tui.intent.names import words_of
from spark_tui.intent.values import literal
from spark_tui.pysource.source import Source

_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_MONTHS = "January February March April May June July August September October November December"
_SERIES = tuple(tuple(re.findall(r"\w+", one)) for one in (_DAYS, _MONTHS))
_LEAST_SHORT = 2
_DAY = re.compile(
    r"(?P<day>\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:of\s+|de\s+)?(?P<month>[^\W\d_]+)\.?(?:\s+(?P<year>\d{4}))?"
)
_DAY_BEHIND = re.compile(
    r"(?P<month>[^\W\d_]+)\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(?P<year>\d{4}))?"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_PART = re.compile(
    r"(?P<mark>[\"'])(?P<text>.*?)(?P=mark)"
    r"|(?P<number>(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*[.:/@]?\w))"
    r"|(?P<word>[\w+-]+(?:[.:/@]+[\w+-]+)+|/\S+)"
)
"""What may be a part: a quoted text, a number, or a word with signs in it such as an address or a path."""
_WORD = re.compile(r"(?P<mark>)(?P<number>(?!))?(?P<text>[^\W\d][\w-]*)")


def known_key(said: str, keys: Sequence[str], new: bool = False) -> str | None:
    """The one key that words mean: in another case or number, shortened, or, if it may be no `new` one, by
    another word for it."""
    plain = said.strip().strip("`'\"")
    same = [one for one in keys if one.lower() == plain.lower()]
    if same:
        return same[0]
    if short := _shortened(plain, keys):
        return short if short in keys else None
    told = content_words(plain)
    alike = [one for one in keys if told and one[:1].isalpha() and score(told, one) >= 1.0]
    if new:
        alike = [one for one in alike if one.lower().rstrip("s") == plain.lower().rstrip("s")]
    return alike[0] if len(alike) == 1 else None


def new_key(said: str, keys: Sequence[str]) -> str | None:
    """A new key or item as those beside it are written: shortened, or a date; None where they have no such
    form."""
    return _shortened(said.strip().strip("`'\""), keys)


def _shortened(said: str, keys: Sequence[str]) -> str | None:
    """The name of a day or month, as long and in the case that the others have."""
    for series in _SERIES:
        said = said.lower()
        fits = [
            one for one in series if any(means(each, one.lower()) for each in (said, said.removesuffix("s")))
        ]
        lengths = {len(one) for one in keys}
        if not fits or not keys or not all(_begins(one, series) for one in keys):
            continue
        short = len(lengths) == 1 and lengths != {len(fits[0])} and min(lengths) >= _LEAST_SHORT
        text = fits[0][: lengths.pop()] if short else fits[0]
        cases = ((str.islower, str.lower), (str.isupper, str.upper))
        return next((change(text) for asks, change in cases if all(map(asks, keys))), text)
    return None


def _begins(key: str, series: Sequence[str]) -> bool:
    return len(key) >= _LEAST_SHORT and any(one.lower().startswith(key.lower()) for one in series)


def date_like(said: str, instruction: str, others: Sequence[str]) -> str | None:
    """A day that words say, in the format of dates that all others have; the year may stand elsewhere, or be
    the one that all others are of."""
    form = next((one for one in USUAL if others and all(shows(one, each) for each in others)), None)
    found = _DAY.search(said) or _DAY_BEHIND.search(said)
    if form is None or found is None:
        return None
    month = next((at for at, one in enumerate(_SERIES[1], 1) if _names_month(found["month"], one)), 0)
    years = {found["year"]} - {None} or set(_YEAR.findall(instruction))
    years = years or {str(datetime.strptime(one, form).year) for one in others}
    if not month or len(years) != 1:
        return None
    try:
        return datetime(int(years.pop() or 0), month, int(found["day"])).strftime(form)
    except ValueError:
        return None


def _names_month(said: str, month: str) -> bool:
    return means(said.lower(), month.lower()) or (len(said) == 3 and month.lower().startswith(said.lower()))


def like_parts(source: Source, text: str, old: ast.expr | None, others: Sequence[ast.expr]) -> str | None:
    """A tuple, list or dictionary of the values that are said for its parts, where all others have the same
    parts. What is not said stays as it is in `old`."""
    first = old or (others[0] if others else None)
    if not isinstance(first, ast.Tuple | ast.List | ast.Dict) or any(
        _form(one) != _form(first) for one in others
    ):
        return None
    if isinstance(first, ast.Dict):
        return _dictionary(source, text, first, old is not None)
    said = [_value(source, one) for one in _PART.finditer(text)]
    kinds = [_kind(one) for one in first.elts]
    parts: list[str] = []
    for at, (kind, node) in enumerate(zip(kinds, first.elts, strict=True)):
        own = [one for one in said if one[0] == kind]
        if len(own) == kinds.count(kind):
            parts.append(own[kinds[:at].count(kind)][1])
        elif old is None or own:
            return None
        else:
            parts.append(source.segment(node))
    if not said or any(kind not in kinds for kind, _ in said):
        return None
    inner = ", ".join(parts) + ("," if isinstance(first, ast.Tuple) and len(parts) == 1 else "")
    return f"({inner})" if isinstance(first, ast.Tuple) else f"[{inner}]"


def _dictionary(source: Source, text: str, first: ast.Dict, stays: bool) -> str | None:
    """A dictionary whose keys are said, each in front of its value: `until 2, factor 1.3`."""
    parts: list[str] = []
    heard = 0
    for name, value in zip(first.keys, first.values, strict=True):
        key = name.value if isinstance(name, ast.Constant) else None
        if not isinstance(key, str) or name is None:
            return None
        words = "|".join(re.escape(one) for one in {key, " ".join(words_of(key))})
        found = re.search(
            rf"(?<!\w)(?:{words})(?!\w)\W*?(?:(?:is|of|=|:)\s*)?(?=[\w\"'/-])", text, re.IGNORECASE
        )
        part = _PART.match(text, found.end()) if found is not None else None
        if part is None and found is not None and _kind(value) == "str":
            part = _WORD.match(text, found.end())
        kind, shown = _value(source, part) if part is not None else ("", "")
        heard += bool(kind)
        if kind != _kind(value) or not kind:
            if not stays or found is not None:
                return None
            shown = source.segment(value)
        parts.append(f"{source.segment(name)}: {shown}")
    return "{" + ", ".join(parts) + "}" if heard else None


def _value(source: Source, found: re.Match[str]) -> tuple[str, str]:
    """The kind of a part, and its code."""
    if found["number"] is not None:
        return "number", found["number"]
    return "str", literal(found["text"] if found["text"] is not None else found["word"], source)


def _kind(node: ast.AST) -> str:
    if isinstance(node, ast.UnaryOp):
        return _kind(node.operand)
    value = node.value if isinstance(node, ast.Constant) else None
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return "str" if isinstance(value, str) else "number" if number else ""


def _form(node: ast.AST) -> tuple[object, ...]:
    """What the parts of a value are: their kinds, or the keys that they have."""
    if isinstance(node, ast.Dict):
        return (ast.Dict, *(ast.unparse(one) for one in node.keys if one is not None))
    return (type(node), *(_kind(one) for one in getattr(node, "elts", ())))
