"""The slips of a place, those first that are likelier and stand where more failing than passing tests run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spark_tui.intent.context.crashes import log_crash
from spark_tui.intent.slips import (  # noqa: F401  (they register themselves)
    calls,
    forms,
    from_file,
    operators,
    rewritten,
    statements,
    values,
)
from spark_tui.intent.slips.place import FINDERS, Change, Place, Slip
from spark_tui.pysource.source import Function, Source

_OUTSIDE = 0.4
"""How likely a slip is in what a module sets, beside one in a function that ran."""
_MOST = 6000


@dataclass(frozen=True, slots=True)
class Found:
    """A slip in a file, with the text that the file would have."""

    source: Source
    changes: tuple[Change, ...]
    text: str
    weight: float


def find_slips(
    source: Source,
    failing: Mapping[int, float],
    told: Sequence[str],
    shown: Sequence[int] = (),
    wanted: Sequence[str] = (),
) -> list[Found]:
    """The slips in the functions of a file that ran, the likeliest first. `failing` has for each line how
    much it speaks for a bug there; the lines `shown` stand in a traceback; the values `wanted` are asked
    for."""
    found: dict[str, Found] = {}
    for place, share in _places(source, failing, told, wanted):
        for finder in FINDERS:
            for slip in _of(finder, place):
                text = applied(source.text, slip.changes)
                line = source.line_number(slip.changes[0][0])
                near = failing.get(line, max(failing.values(), default=1.0) * 0.5)
                weight = slip.weight * share * near * (1.5 if line in shown else 1.0)
                if text is not None and (text not in found or found[text].weight < weight):
                    found[text] = Found(source, slip.changes, text, weight)
    return sorted(found.values(), key=lambda one: -one.weight)[:_MOST]


def _of(finder: object, place: Place) -> list[Slip]:
    try:
        return list(finder(place))  # type: ignore[operator]
    except Exception as error:
        log_crash(error, "a slip")
        return []


def _places(
    source: Source, failing: Mapping[int, float], told: Sequence[str], wanted: Sequence[str]
) -> Iterator[tuple[Place, float]]:
    lines = frozenset(failing)
    for function in source.functions:
        own = frozenset(range(function.lineno, source.last_line(function) + 1))
        inner = [one for one in source.functions if one is not function and one.lineno in own]
        for one in inner:
            own -= frozenset(range(one.lineno, source.last_line(one) + 1))
        if own & lines:
            yield Place(source, function, (own & lines), tuple(told), tuple(wanted)), 1.0
    outside = [
        stmt.lineno
        for stmt in source.statements
        if not isinstance(stmt, Function) and source.function_of(stmt) is None
    ]
    settings = [one for one in source.statements if one.lineno in set(outside)]
    module = ast.Module(body=[one for one in settings if _sets(one)], type_ignores=[])
    if module.body and lines:
        yield Place(source, module, frozenset(outside), tuple(told), tuple(wanted)), _OUTSIDE


def _sets(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign | ast.AnnAssign)


def applied(text: str, changes: Sequence[Change]) -> str | None:
    """A text with changes; None where they overlap or change nothing."""
    out, done = "", 0
    for low, high, new in sorted(changes):
        if low < done:
            return None
        out, done = out + text[done:low] + new, high
    out += text[done:]
    return out if out != text else None
