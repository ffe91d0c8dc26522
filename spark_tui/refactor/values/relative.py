"""How much more or less is said: *double*, *increase by 5*, *one less*, *three times as large*.

Comes in: an order with marks for its items. Goes out: a factor and a sum. Must not know: code, edits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from spark_tui.refactor.values.asked import ITEM, Item

_FACTORS = {
    "double": 2.0,
    "twice": 2.0,
    "triple": 3.0,
    "treble": 3.0,
    "quadruple": 4.0,
    "halve": 0.5,
    "half": 0.5,
    "doubled": 2.0,
    "tripled": 3.0,
    "halved": 0.5,
}
_BY_WORD = re.compile(
    r"\b(doubled?|twice|tripled?|treble|quadruple|halved?|half)\b(?:\s+(?:as|the)\s+(?:large|big|long|high|much|many|size|length|amount|value))*",
    re.I,
)
_TIMES = re.compile(
    rf"(?:\b(?:multiply|multiplied)\b[^\u27e6]*\bby\s*{ITEM}|{ITEM}\s*(?:x|times)\s+(?:as\s+)?(?:large|big|long|high|much|many|larger|bigger|longer|higher|the size)\b)",
    re.I,
)
_STEP = re.compile(
    rf"(?:\b(?P<verb>increase|raise|bump|increment|decrease|reduce|lower|decrement|cut)\b(?P<middle>.*?)\bby\s+(?:{ITEM}|(?P<one>one|a))"
    rf"|(?P<change>\badd|\bsubtract|\btake)\s+(?:{ITEM.replace('(', '(?P<added>', 1)}|(?P<one2>one|1))\s+(?P<side>to|from|off|onto)\b"
    rf"|\b(?:{ITEM.replace('(', '(?P<more>', 1)}|(?P<one3>one|1))\s+(?P<way>more|less|higher|lower|fewer|larger|smaller|longer|shorter|up|down)\b)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Relative:
    factor: float
    plus: float
    said: tuple[str, ...]


def relative(masked: str, values: list[Item]) -> Relative | None:
    if re.search(r"\bas (?:often|fast|quick|slow|frequent)|\bthe (?:speed|frequency|rate)\b", masked, re.I):
        return None  # more of that may be less of the number
    by_word = _BY_WORD.search(masked)
    if by_word is not None and not values:
        return Relative(_FACTORS[by_word[1].lower()], 0, (by_word[0],))
    step = _STEP.search(masked)
    if step is not None and len(values) <= 1:
        number = values[0].value.number if values and values[0].value is not None else 1
        if number is None or (values and values[0].value is not None and values[0].value.unit in ("%", "percent")):
            return None
        down = (step["verb"] or step["change"] or step["way"] or "").lower() in (
            "decrease",
            "reduce",
            "lower",
            "decrement",
            "cut",
            "subtract",
            "take",
            "less",
            "fewer",
            "smaller",
            "shorter",
            "down",
        )
        said = (
            step[0].replace(step["middle"], " ") if step["middle"] else step[0],
            *(item.said for item in values),
            "one",
        )
        return Relative(1, -number if down else number, said)
    raw = re.search(
        r"(?<!\w)(\d+(?:\.\d+)?)x\b(?:\s+(?:as\s+)?(?:large|big|long|high|much|many|larger|bigger|longer|higher))?",
        masked,
    )
    if raw is not None and not values:
        return Relative(float(raw[1]), 0, (raw[0], f"{raw[1]}x"))
    times = _TIMES.search(masked)
    if times is not None and len(values) == 1 and values[0].value is not None and values[0].value.number:
        return Relative(values[0].value.number, 0, (times[0], values[0].said))
    return None
