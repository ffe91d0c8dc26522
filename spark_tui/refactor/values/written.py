"""A new value in the manner of the old one: its unit, its quotes, the underscores and the point of its digits.

Comes in: a slot, a value as it was said. Goes out: the literal that is written. Must not know: orders, edits.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor import literals
from spark_tui.refactor.source import Source
from spark_tui.refactor.values.slots import Slot, parts

_MS, _S, _MIN, _H, _D = (
    ("ms", "msec", "millis"),
    ("s", "sec", "secs", "second", "seconds"),
    ("min", "mins", "minute", "minutes"),
    ("h", "hour", "hours"),
    ("d", "day", "days"),
)


def is_factor(src: Source, slot: Slot) -> bool:
    """The `1024` and `60` in `5 * 1024 * 60`, and powers of ten: not what the thing is set to."""
    parent = src.parents.get(slot.node)
    if not isinstance(parent, ast.BinOp) or not isinstance(parent.op, ast.Mult | ast.Pow | ast.Div):
        return False
    number = literals.as_number(src.segment(slot.node))
    first = parent
    while isinstance(first.left, ast.BinOp):
        first = first.left
    constant = isinstance(first.left, ast.Constant)
    return first.left is not slot.node if constant else number in (60, 100, 1000, 1024, 3600)


def unit_of(slot: Slot) -> str:
    own = [part for name in slot.names for part in parts(name)]
    for units in (_MS, _S, _MIN, _H, _D):
        if any(part in units for part in own):
            return units[0]
    if "after" in own:
        return "ms"
    return next((part for part in own if part in ("kb", "mb", "gb")), "")


def written(old: str, value: literals.Said, slot: Slot) -> str | None:
    """The new value in the manner of the old one; None where the measures do not go together."""
    new = value.source
    if value.is_text:
        return in_quotes_of(old, str(literals.as_value(new)))
    if value.number is None:
        return new
    measure, factor = literals.UNITS.get(value.unit, ("", 1.0))
    before = literals.as_number(old)
    if measure == "share":
        if before is not None and isinstance(before, float) and 0 <= before <= 1:
            new = literals.plain(value.number * 0.01)
    elif measure == "time":
        target = unit_of(slot)
        new = literals.in_unit(value, target or "s") or new
    elif measure == "size" and factor > 1:
        target = unit_of(slot)
        product = _product(old)
        if target:
            new = literals.in_unit(value, target) or new
        elif before is not None and before >= 4096:
            new = literals.plain(value.number * factor)
        elif product is not None:
            return _as_product(old, value.number, int(factor)) if product >= 4096 else None
    return in_manner_of(old, new)


def _product(old: str) -> int | None:
    """What `2**30` and `5 * 1024 * 1024` come to; None for anything but whole numbers, `*` and `**`."""
    if not re.fullmatch(r"\d{1,6}(?: *\*\*? *\d{1,6})+", old):
        return None
    total = 1
    for base, power in re.findall(r"(?<!\*)(\d+)(?: *\*\* *(\d+))?", re.sub(r"(?<!\*) *\* *(?!\*)", " ", old)):
        if int(power or 1) > 64:
            return None
        total *= int(base) ** int(power or 1)
    return total


def _as_product(old: str, count: float, factor: int) -> str:
    """*2 GiB* as `2 * 2**30` where the old one is a power of two, as `2 * 1024**3` else."""
    power = factor.bit_length() - 1
    unit = f"2**{power}" if re.search(r"\b2 ?\*\*", old) else "1024" if power == 10 else f"1024**{power // 10}"
    return unit if count == 1 else f"{literals.plain(count)} * {unit}"


def in_manner_of(old: str, new: str) -> str:
    """`1_000` where the old number has such, `2.0` for `1.0`."""
    if "_" in old and new.isdecimal() and len(new) > 4:
        return f"{int(new):_}"
    return f"{new}.0" if re.fullmatch(r"-?\d+\.0", old) and re.fullmatch(r"-?\d+", new) else new


def in_quotes_of(old: str, text: str) -> str:
    """A text as a literal with the prefix and the quotes of another one."""
    match = re.match(r"([A-Za-z]*)('''|\"\"\"|'|\")", old)
    prefix, quote = (match[1], match[2]) if match else ("", '"')
    if quote in text or "\n" in text or ("\\" in text and "r" not in prefix.lower()):
        other = "'" if quote == '"' else '"'
        if len(quote) == 1 and other not in text and "\\" not in text:
            return f"{prefix}{other}{text}{other}"
        if "\\" not in text:
            return repr(text)
    return f"{prefix}{quote}{text}{quote}"
