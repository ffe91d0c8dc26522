"""Repairs for what a message says goes wrong: by its words, and by the code that it may be about."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built
from spark_tui.intent.context.areas import area_of, definitions_at
from spark_tui.intent.context.crashes import log_crash
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects import (  # noqa: F401  (they register themselves)
    comparisons,
    definitions,
    input_output,
    loops,
    misuse,
    numbers,
    results,
    state,
    texts,
)
from spark_tui.intent.defects.causes import CAUSES, Cause
from spark_tui.intent.defects.symptoms import features, known_symptoms, tells_symptom, why
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import identifier_words, word_set

_READING = Reading("fix_error", 1.0)
_COUNTED = 8.0
"""What two numbers of which the second is one more or less say of a count."""
_OF_SYMPTOM, _MOST = 0.5, 12.0
"""How much the words say, and what they say at most."""
_HERE, _CALLED, _ELSEWHERE, _SOFTLY = 1.2, 0.0, -3.0, -1.0
"""What it says that a function is the one with the words, is called by the one that is named, or that another
one is named, or may be."""
_OF_WORD = 0.5
_OF_BUG = 0.4
"""How much it adds where the words tell of a bug at all, or takes away where they ask for an edit."""
_MOST_FUNCTIONS = 20
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.Expr)


@dataclass(frozen=True)
class Found:
    """A repair, and how likely it is that of what is described. `told`: how much the words speak for it, by
    the places that they name too; `said` without these."""

    built: Built
    likely: float
    told: float
    said: float


def names_here(situation: Situation) -> set[str]:
    """The names of the functions and classes in the open file."""
    if situation.path not in situation.repo.index.modules.paths:
        return set()
    return {one.name for one in situation.repo.index.source(situation.path).definitions}


def reads_bug(orders: Sequence[Order]) -> bool:
    """Whether one of the readings is that an error is told."""
    return not orders or any(one.intent == "fix_error" for order in orders for one in order.readings)


def tells_of_bug(text: str) -> float:
    """How much the words say that something is wrong, and not that something is wanted."""
    return _OF_BUG * tells_symptom(text)


def tells_of_symptom(situation: Situation) -> float:
    """The same, with how much they say of the symptom that fits them best."""
    index, path = situation.repo.index, situation.path
    names = _names(index.source(path)) if path in index.modules.paths else set[str]()
    odds = _odds(situation.instruction, names)
    return _said(max(odds.values())) + tells_of_bug(situation.instruction)


def _said(odds: float) -> float:
    return _OF_SYMPTOM * min(max(odds, 0.0), _MOST)


def known_causes() -> list[Cause]:
    """All causes, those of each kind of code together."""
    return CAUSES


def described(situation: Situation) -> list[Found]:
    """The repairs of what a message may describe, the likeliest first."""
    path, repo = situation.path, situation.repo
    if path not in repo.index.modules.paths:
        return []
    source = repo.index.source(path)
    if source.tree is None:
        return []
    odds = _odds(situation.instruction, _names(source))
    context = Context(_READING, situation)
    found: dict[tuple[Operation, ...], tuple[float, float, float, Built]] = {}
    for function, place in _roots(source, situation):
        area = area_of(source, function if isinstance(function, Function) else None, said=False)
        for cause in CAUSES:
            symptom = max(cause.symptoms, key=lambda one: odds[one])
            at = SeenError(context, symptom, situation.instruction, 0, area, source, function)
            said = _said(odds[symptom])
            for built in _repairs(cause, at):
                likely = min(cause.plain * built.weight, 0.99)
                told = said + place + _OF_WORD * _words_at(built, source, situation.instruction)
                score = math.log(likely / (1 - likely)) + told
                if built.calls not in found or found[built.calls][0] < score:
                    doubt = assumed(f"taken for the cause: {why(symptom)}")
                    found[built.calls] = (score, told, said, replace(built, doubts=(*built.doubts, doubt)))
    whole = 1.0 + sum(math.exp(score) for score, *_ in found.values())
    repairs = [
        Found(replace(built, weight=math.exp(score) / whole), math.exp(score) / whole, told, said)
        for score, told, said, built in found.values()
    ]
    return sorted(repairs, key=lambda one: -one.likely)


def _repairs(cause: Cause, at: SeenError) -> list[Built]:
    try:
        return list(cause.find(at))
    except Exception as error:
        log_crash(error, f"a cause of {at.kind}")
        return []


def _odds(text: str, names: set[str]) -> dict[str, float]:
    """What the words of a message say of each symptom."""
    odds = known_symptoms().odds(features(text, names))
    counts = list(pairwise(_numbers_said(text)))
    if any(one + 1 == two for one, two in counts):
        odds["one_too_many"] += _COUNTED
    elif any(one - 1 == two for one, two in counts):
        odds["one_missing"] += _COUNTED
    return odds


def _names(source: Source) -> set[str]:
    """The names of a file that are no plain words, or that it defines or is given."""
    out = {one.name for one in source.definitions}
    for function in source.functions:
        out |= {arg.arg for arg in function.args.args}
    for node in walk(source.tree):
        if isinstance(node, ast.Attribute):
            out.add(node.attr)
        elif isinstance(node, ast.Name) and not node.id.islower():
            out.add(node.id)
    return {name for name in out if name not in _WORDS}


_WORDS = word_set(
    "lower upper strip sort sorted append get items name last first count all open close closed"
)
"""Names that are words of a sentence as well."""


def _numbers_said(text: str) -> list[int]:
    found = (phrases.number(word) or "" for word in re.findall(r"\d+|[^\W\d_]+", text))
    return [int(one) for one in found if one.isdecimal()]


@lru_cache(maxsize=256)
def _stems(text: str) -> frozenset[str]:
    return frozenset(word for word in features(text) if " " not in word and word not in "_#")


def _roots(source: Source, situation: Situation) -> Iterator[tuple[ast.AST, float]]:
    """The functions, and what the module sets and does outside of them."""
    line = situation.line or situation.cursor or 1
    near = sorted(_functions(source, situation), key=lambda one: (-one[1], abs(one[0].lineno - line)))
    places = [one for one in near if one[1] > _ELSEWHERE][:_MOST_FUNCTIONS]
    yield from places
    outside: list[ast.stmt] = [stmt for stmt in source.body if isinstance(stmt, _SIMPLE)]
    yield (
        ast.Module(body=outside, type_ignores=[]),
        min(max((place for _, place in places), default=0.0), 0.0),
    )


def _is_spoken(name: str, text: str) -> bool:
    """Whether a name of several words stands in a text with spaces: *add item*."""
    spoken = name.strip("_").replace("_", " ")
    return " " in spoken and re.search(rf"(?<!\w){re.escape(spoken)}(?!\w)", text, re.IGNORECASE) is not None


def _functions(source: Source, situation: Situation) -> Iterator[tuple[Function, float]]:
    """The functions that a message may be about, with how likely each is meant."""
    text = situation.instruction
    said, plain = set(_said_names(text)), _stems(text)
    code = {
        name for name in said if "_" in name or not name.islower() or f"{name}(" in text or f"`{name}" in text
    }
    line = situation.line or situation.cursor
    here = definitions_at(source, line) if line else []
    named = [one for one in source.functions if one.name in said]
    surely = [one for one in named if one.name in code] or [
        one for one in source.functions if _is_spoken(one.name, text)
    ]
    owners = {one.name for one in source.definitions if isinstance(one, ast.ClassDef) and one.name in said}
    called = {last_name(node.func) for one in surely for node in find_nodes(one, ast.Call)}
    for function in source.functions:
        owner = source.class_of(function)
        if surely:
            near = _CALLED if function.name in called else _ELSEWHERE
            yield function, _HERE if function in surely else near
        elif owners:
            yield function, _HERE if owner is not None and owner.name in owners else _ELSEWHERE
        else:
            own = _stems(" ".join(identifier_words(function.name)))
            around = _stems(" ".join(identifier_words(owner.name))) if owner is not None else set[str]()
            fit = max(
                len(own & plain) / max(len(own), 1), 0.5 * bool(around & plain), _overlap(function, plain)
            )
            if named:
                yield function, _HERE if function in named else _SOFTLY
            else:
                yield function, _HERE * (0.6 if function in here else 0.0) if fit < 0.5 else _HERE * fit


def _overlap(function: Function, plain: Set[str]) -> float:
    """The share of the words of a message that stand in the names and texts of a function."""
    own = set[str]()
    for node in walk(function):
        if isinstance(node, ast.Name):
            own |= set(identifier_words(node.id))
        elif isinstance(node, ast.Attribute):
            own |= set(identifier_words(node.attr))
        elif isinstance(node, ast.arg):
            own |= set(identifier_words(node.arg))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 80:
            own |= set(node.value.split())
    both = _stems(" ".join(own)) & plain
    return min(1.0, len(both) / 3)


def _said_names(text: str) -> Iterator[str]:
    """The words of a message that are names: as they stand, and behind dots."""
    for word in text.replace("(", " ").replace(")", " ").split():
        bare = word.strip("`'\".,:;!?")
        yield from (bare, bare.rpartition(".")[2])


def _words_at(built: Built, source: Source, text: str) -> int:
    """How many words of a message stand in the lines of a repair, two at most."""
    spot = getattr(built.calls[0], "place", None)
    if spot is None or not spot.first:
        return 0
    shown = "\n".join(source.lines[spot.first - 1 : spot.last or spot.first])
    words = {word for name in re.findall(r"\w+", shown) for word in identifier_words(name)}
    return min(len(_stems(" ".join(sorted(words))) & _stems(text)), 2)
