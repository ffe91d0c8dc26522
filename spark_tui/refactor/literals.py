"""Values as people say them, as Python writes them: *thirty*, *half a minute*, *an empty list*, *off*, *20 mb*.

Comes in: a piece of an instruction. Goes out: literals as source, with the place where they are said. Must not know:
files, code, what the value is for.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

_ONES = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
)
_TENS = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")
_SMALL = {word: number for number, word in enumerate(_ONES)} | {word: 20 + 10 * at for at, word in enumerate(_TENS)}
_SMALL |= {"fourty": 40, "dozen": 12}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000}
_COUNTS = "|".join(sorted((*_SMALL, *_LARGE), key=len, reverse=True))
_SPELLED = rf"(?:a |half a )?(?:{_COUNTS})(?:(?: and |[ -])(?:{_COUNTS}))*"
_DIGITS = (
    r"0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d{1,3}(?:,\d{3})+(?![\d,])|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+"
)
UNITS = {
    "ms": ("time", 0.001), "msec": ("time", 0.001), "msecs": ("time", 0.001), "millisecond": ("time", 0.001), "milliseconds": ("time", 0.001), "millis": ("time", 0.001),
    "s": ("time", 1), "sec": ("time", 1), "secs": ("time", 1), "second": ("time", 1), "seconds": ("time", 1),
    "m": ("time", 60), "min": ("time", 60), "mins": ("time", 60), "minute": ("time", 60), "minutes": ("time", 60),
    "h": ("time", 3600), "hr": ("time", 3600), "hrs": ("time", 3600), "hour": ("time", 3600), "hours": ("time", 3600),
    "d": ("time", 86400), "day": ("time", 86400), "days": ("time", 86400), "week": ("time", 604800), "weeks": ("time", 604800),
    "b": ("size", 1), "byte": ("size", 1), "bytes": ("size", 1), "kb": ("size", 1024), "kib": ("size", 1024), "kilobytes": ("size", 1024),
    "mb": ("size", 1024**2), "mib": ("size", 1024**2), "meg": ("size", 1024**2), "megs": ("size", 1024**2), "megabyte": ("size", 1024**2), "megabytes": ("size", 1024**2),
    "gb": ("size", 1024**3), "gib": ("size", 1024**3), "gigs": ("size", 1024**3), "gigabyte": ("size", 1024**3), "gigabytes": ("size", 1024**3),
    "%": ("share", 0.01), "percent": ("share", 0.01),
}  # fmt: skip
"""What a unit measures, and how much of its first one it is: seconds, bytes, the whole."""
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<![\w.$#-])(?P<minus>-|−|minus |negative )?(?:(?P<digits>{_DIGITS})(?P<scale>[kK](?![\w.])|[mM](?![\w.]))?|(?P<spelled>{_SPELLED})(?![\w-]))"
    rf"(?:(?P<gap>[ -]?)(?P<unit>{_UNIT})(?![\w-]))?(?![\w]|\.\d)",
    re.I,
)
_A_UNIT = re.compile(
    r"(?<!\w)(?P<half>half )?(?:an? |(?<=half )(?=[smhd])|once (?:an?|every|per) |every |a full |one full )(?P<unit>second|minute|hour|day|week|millisecond)(?P<and> and a half)?(?!\w)"
)
_EMPTY = re.compile(
    r"\b(?:an? |the )?(?:empty|blank) (?P<what>list|array|tuple|dict(?:ionary)?|set|str(?:ing)?|text|bytes)(?!\w)", re.I
)
_MADE = {
    "list": "[]", "array": "[]", "tuple": "()", "dict": "{}", "dictionary": "{}", "set": "set()", "str": '""',
    "string": '""', "text": '""', "bytes": 'b""',
}  # fmt: skip
_TRUE = frozenset(["true", "yes", "enabled", "enable", "on", "active"])
_FALSE = frozenset(["false", "no", "disabled", "disable", "off", "inactive"])
_NOTHING = frozenset(["none", "null", "nil", "nothing"])
_QUOTED = re.compile(r"`([^`\n]+)`|\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)")
_CODEC = re.compile(r"(?<![\w.])(?:utf-?(?:8|16|32)(?:-sig)?|latin-?1|ascii|cp125\d|iso-8859-\d+)(?![\w.])", re.I)
_SPOKEN = re.compile(
    r"(?<![\w./@-])(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://[^\s,;]+|(?:[\w.-]+/)*[\w-]+\.(?:db|log|txt|csv|tsv|json|ya?ml|toml|ini|cfg|html?|xml|png|jpe?g|gif|pdf|md|sqlite3?|bak|tmp|zip|gz))(?![\w/(])"
)
"""Addresses and files: nobody puts quotes around them."""
_WORD = re.compile(r"(?<![\w.])(?:True|False|None|true|false|null|nil)(?![\w.(])")


@dataclass(frozen=True, slots=True)
class Said:
    """A value and where it is said. `unit` is what it was said in, where it is a measure."""

    start: int
    end: int
    source: str
    unit: str = ""
    quoted: bool = False

    @property
    def number(self) -> float | int | None:
        return as_number(self.source)

    @property
    def is_text(self) -> bool:
        return isinstance(as_value(self.source), str)


def as_value(source: str) -> object:
    """The value of a literal, `...` where it is none."""
    try:
        return ast.literal_eval(source)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return ...


def as_number(source: str) -> float | int | None:
    value = as_value(source)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def literal(phrase: str) -> str | None:
    """What one value is written as; None where the phrase is none: a name, an expression, something else."""
    text = phrase.strip()
    low = text.lower()
    if low in _NOTHING:
        return "None"
    if low in _TRUE:
        return "True"
    if low in _FALSE:
        return "False"
    if len(text) > 2 and text[0] == text[-1] == "`":
        return text[1:-1] if as_value(text[1:-1]) is not ... else literal(text[1:-1])
    if (found := _EMPTY.fullmatch(text)) is not None:
        return _MADE[found["what"].lower()]
    if (number := _NUMBER.fullmatch(text)) is not None:
        return _written(number)
    value = as_value(text)
    return text if value is not ... and not (isinstance(value, str) and text[0] not in "'\"bBrR") else None


def values(text: str) -> list[Said]:
    """Every value that is said in a text, in its order. What is quoted counts as one, even where it holds others."""
    out: list[Said] = []
    taken: list[tuple[int, int]] = []

    def put(start: int, end: int, source: str, unit: str = "", quoted: bool = False) -> None:
        if not any(start < b and a < end for a, b in taken):
            taken.append((start, end))
            out.append(Said(start, end, source, unit, quoted))

    for match in _QUOTED.finditer(text):
        if match[1] is None:
            put(*match.span(), match[0], quoted=True)
        elif as_value(match[1]) is not ...:
            put(*match.span(), match[1], quoted=True)
        else:
            taken.append(match.span())
    for match in _EMPTY.finditer(text):
        put(*match.span(), _MADE[match["what"].lower()])
    for match in _CODEC.finditer(text):
        put(*match.span(), f'"{_codec(match[0].lower())}"')
    for match in _SPOKEN.finditer(text):
        if not match[0].startswith(("self.", "os.", "logging.")):
            put(*match.span(), f'"{match[0]}"')
    for match in _WORD.finditer(text):
        put(*match.span(), literal(match[0]) or match[0])
    for match in _A_UNIT.finditer(text):
        many = (0.5 if match["half"] else 1) + (0.5 if match["and"] else 0)
        put(*match.span(), plain(many), match["unit"])
    for match in _NUMBER.finditer(text):
        if match["spelled"] and match["spelled"].lower() == "one" and not match["unit"]:
            continue
        put(*match.span(), _written(match), (match["unit"] or "").lower())
    return sorted(out, key=lambda said: said.start)


def _codec(name: str) -> str:
    """*utf8* as it is mostly written."""
    return re.sub(r"^(utf|latin)-?(\d+)", r"\1-\2", name)


def plain(number: float) -> str:
    """A number as one would type it: no `.0` behind a whole one, no noise of the machine's arithmetic."""
    if isinstance(number, int) or number == int(number):
        return str(int(number))
    return repr(round(number, 10))


def in_unit(said: Said, unit: str) -> str | None:
    """The number in another unit of the same measure: *half a minute* in seconds is 30."""
    number = said.number
    if number is None or said.unit not in UNITS or unit not in UNITS or UNITS[said.unit][0] != UNITS[unit][0]:
        return None
    return plain(number * UNITS[said.unit][1] / UNITS[unit][1])


def _written(match: re.Match[str]) -> str:
    minus = "-" if match["minus"] else ""
    if match["digits"] is None:
        return minus + plain(_counted(match["spelled"].lower()))
    digits = match["digits"]
    if match["scale"] and not match["unit"]:
        return minus + plain(float(digits.replace(",", "")) * (1000 if match["scale"] in "kK" else 1_000_000))
    digits = digits.replace(",", "")
    whole = digits.lstrip("0") if digits.isdecimal() else digits
    return minus + (whole or "0")


def _counted(spelled: str) -> float:
    factor = 0.5 if spelled.startswith("half a ") else 1
    total = part = 0
    for word in re.findall(r"[a-z]+", spelled):
        if word in _SMALL:
            part = max(part, 1) * 12 if word == "dozen" else part + _SMALL[word]
        elif word == "hundred":
            part = max(part, 1) * 100
        elif word in _LARGE:
            total += max(part, 1) * _LARGE[word]
            part = 0
    return (total + part) * factor
