# ruff: noqa: E501 - tables of words read better unbroken
"""Times and signs that are said, as literals: *default one minute* is 60, *default two spaces* is `"  "`.

Comes in: a rule. Goes out: the rule for orders that say so. Must not know: what the values are for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from spark_tui.refactor.literals import UNITS, literal
from spark_tui.refactor.order import Edit, Order
from spark_tui.refactor.saying import words

_COUNT = r"(?:\d+(?:\.\d+)?|half an?|an?|one|two|three|four|five|six|seven|eight|ten|twelve|fifteen|twenty|thirty|sixty|ninety)"
_TIME = re.compile(rf"\b(?P<n>{_COUNT})[ -](?P<unit>(?:milli)?seconds?|minutes?|hours?|days?|weeks?)\b", re.I)
_SIGN = re.compile(
    rf"\b(?P<n>{_COUNT}) (?P<sign>spaces?|blanks?|tabs?|commas?|dash(?:es)?|underscores?|newlines?)\b", re.I
)
_SIGNS = {"space": " ", "blank": " ", "tab": "\\t", "comma": ",", "dash": "-", "underscore": "_", "newline": "\\n"}


def measured(make: Callable[[Order], Iterable[Edit]]) -> Callable[[Order], Iterator[Edit]]:
    """Of an order in which times and signs stand as literals: *one minute* is 60, *two spaces* are `"  "`."""

    def made(order: Order) -> Iterator[Edit]:
        found = [*_TIME.finditer(order.said), *_SIGN.finditer(order.said)]
        said = _TIME.sub(lambda match: _seconds(match, order.said), order.said)
        said = _SIGN.sub(_signs, said)
        if not found:
            yield from make(order)
            return
        spelled = replace(order)
        spelled.said = said
        for edit in make(spelled):
            yield Edit(edit.text, edit.used | frozenset(words(" ".join(match[0] for match in found))))

    return made


def _times(match: re.Match[str]) -> float:
    low = match["n"].lower()
    return 0.5 if low.startswith("half") else 1 if low in ("a", "an") else float(literal(low) or 1)


def _signs(match: re.Match[str]) -> str:
    sign = next(sign for name, sign in _SIGNS.items() if match["sign"].lower().startswith(name))
    return f'"{sign * int(_times(match))}"'


def _seconds(match: re.Match[str], said: str) -> str:
    """In the unit that a name of the order ends with, else in seconds."""
    own = next(
        (UNITS[unit][1] for unit in re.findall(r"_([a-z]+)\b", said) if UNITS.get(unit, ("", 1))[0] == "time"), 1
    )
    return f"{_times(match) * UNITS[match['unit'].lower()][1] / own:g}"
