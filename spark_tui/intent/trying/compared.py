"""Repairs with which all tests pass, compared by what they do with values near those of the tests.

A repair is less likely if it ends in an error where another one does not, changes more of what the code did
near a test that passes, or less near one that fails.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

from spark_tui.intent.trying.probes import probes_of
from spark_tui.intent.trying.search import Candidate, Failing, Search
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import word_set
from spark_tui.trials.trial import OUT_OF_TIME, TrialEnded

_CRASHES = {OUT_OF_TIME} | word_set(
    "TypeError IndexError KeyError AttributeError NameError UnboundLocalError ZeroDivisionError "
    "RecursionError ValueError"
)
_OF_CRASH, _OF_CHANGED, _OF_SAME = 3.0, 2.0, 1.0
"""How much each counts."""
_MOST_LITERALS, _SHORT = 12, 3
_SECONDS = 0.7
"""For all probes, by what a test takes."""
_ENOUGH = 20
"""Probes by which repairs that show the same are taken to do the same."""
_MOST_ALIKE = 2
_MOST_TOLD, _MOST_CALLS, _LONGEST = 5, 2, 40
_BESIDE = 3
"""So many probes count as if they told nothing."""

Shown = tuple[str, str]
"""What a probe looked at, and the class of what ended it."""


def compared(
    found: Sequence[Candidate], search: Search, repo: Repository, failing: Failing
) -> list[Candidate]:
    """The repairs with other weights, the likeliest first; of those that do the same only two."""
    literals = _literals(found, repo)
    made = probes_of(repo, list(failing.tests), list(failing.passing), failing.examples, literals)
    affordable = int(_SECONDS / max(search.mean_seconds * (len(found) + 1), 1e-6))
    probes = made.probes[:: max(1, math.ceil(len(made.probes) / max(affordable, 1)))]
    if not probes:
        return list(found)
    try:
        now, *each = search.observed(found, made.texts, [one.test for one in probes])
    except TrialEnded:
        return list(found)
    telling = [at for at in range(len(now)) if len({one[at] for one in each}) > 1]
    near = [at for at in telling if not probes[at].fails]
    failed = [at for at in telling if probes[at].fails]
    ends = [at for at in telling if not all(_crashes(one[at]) for one in each)]
    crashes = [_share(map(_crashes, (one[at] for at in ends)), len(ends)) for one in each]
    changed = _excess([_share((one[at] != now[at] for at in near), len(near)) for one in each])
    same = _excess([_share((one[at] == now[at] for at in failed), len(failed)) for one in each])
    weights = [
        one.weight * math.exp(-_OF_CRASH * crash - _OF_CHANGED * change - _OF_SAME * alike)
        for one, crash, change, alike in zip(found, crashes, changed, same, strict=True)
    ]
    kept: list[list[Shown]] = []
    out: list[Candidate] = []
    for at in sorted(range(len(found)), key=lambda at: -weights[at]):
        if len(now) < _ENOUGH or kept.count(each[at]) < _MOST_ALIKE:
            kept.append(each[at])
            out.append(replace(found[at], weight=weights[at]))
    return _with_difference(out, kept, [one.shown for one in probes])


def _with_difference(
    found: Sequence[Candidate], each: Sequence[Sequence[Shown]], calls: Sequence[str]
) -> list[Candidate]:
    """The repairs with what they do at the probes at which most of the first few differ."""
    first, places = each[:_MOST_TOLD], list[int]()
    for _ in range(_MOST_CALLS):
        told = [tuple(one[at] for at in places) for one in first]
        kinds = [
            len({(known, one[at]) for known, one in zip(told, first, strict=True)})
            for at in range(len(calls))
        ]
        best = max((at for at, call in enumerate(calls) if call), key=kinds.__getitem__, default=None)
        if best is None or kinds[best] == len(set(told)):
            break
        places.append(best)
    return [
        replace(one, does=", ".join(f"{calls[at]} {_in_words(shown[at])}" for at in places))
        for one, shown in zip(found, each, strict=True)
    ]


def _in_words(one: Shown) -> str:
    value, ended = one
    if ended:
        return f"raises {ended.removeprefix('raise ')}" if ended != OUT_OF_TIME else "does not end"
    value = " ".join(value.split())
    return f"gives {value if len(value) <= _LONGEST else value[:_LONGEST] + '…'}"


def _literals(found: Sequence[Candidate], repo: Repository) -> list[int | str]:
    """The numbers and short texts of the files that are repaired, those of the functions first."""
    near, far = dict[int | str, None](), dict[int | str, None]()
    for path, first, last in dict.fromkeys(one.function for one in found if one.function[0]):
        for node in walk(repo.index.source(path).tree):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, int | str):
                continue
            value = node.value
            if type(value) is int or (isinstance(value, str) and 0 < len(value) <= _SHORT):
                (near if first <= node.lineno <= last else far)[value] = None
    return list({**near, **far})[:_MOST_LITERALS]


def _crashes(one: Shown) -> bool:
    return one[1] in _CRASHES


def _share(holds: Iterable[bool], count: int) -> float:
    return sum(holds) / (count + _BESIDE)


def _excess(shares: Sequence[float]) -> list[float]:
    return [one - min(shares) for one in shares]
