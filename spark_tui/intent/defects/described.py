"""Repairs for what a message says goes wrong: by its words, and by the code that it may be about."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from spark_tui.intent.building.building import Built
from spark_tui.intent.context.areas import area_of, definitions_at
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects import comparisons, loops, numbers, results, state, texts  # noqa: F401
from spark_tui.intent.defects.causes import CAUSES
from spark_tui.intent.defects.symptoms import features, known_symptoms, why
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.intent.words.readings import Reading
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk
from spark_tui.pysource.words import identifier_words

_READING = Reading("fix_error", 1.0)
_LEAST, _NEAR = 3.0, 7.0
"""How much likelier words have to be for a symptom than for any, and by how much the best may be likelier."""
_SOFTLY = 3.0
_COUNTED = 8.0
"""What two numbers of which the second is one more or less say of a count."""
_UNNAMED, _BESIDE = 0.35, 0.5
"""How likely a function is meant that no word is about, and one beside a function that is named."""
_NOWHERE = 0.8
"""How likely a repair is where no word is about any function that has one."""


@dataclass(frozen=True)
class Found:
    """A repair with the symptom that speaks for it. `odds`: how much likelier the words are for it."""

    built: Built
    symptom: str
    odds: float


def described(situation: Situation) -> list[Found]:
    """The repairs of what a message may describe, the likeliest first."""
    path, repo = situation.path, situation.repo
    if path not in repo.index.modules.paths:
        return []
    source = repo.index.source(path)
    if source.tree is None:
        return []
    text = situation.instruction
    odds = known_symptoms().likelihoods(features(text, _names(source)))
    counts = list(pairwise(_numbers_said(text)))
    if any(one + 1 == two for one, two in counts):
        odds["one_too_many"] += _COUNTED
    elif any(one - 1 == two for one, two in counts):
        odds["one_missing"] += _COUNTED
    best = max(odds.values())
    likely = {one: value for one, value in odds.items() if value >= max(_LEAST, best - _NEAR)}
    context = Context(_READING, situation)
    found: dict[object, Found] = {}
    rows = []
    for function, weight in _functions(source, situation) if likely else ():
        area = area_of(source, function, said=False)
        for symptom, value in likely.items():
            at = SeenError(context, symptom, text, 0, area, source, function)
            share = weight * math.exp((value - best) / _SOFTLY)
            rows += [(built, symptom, value, weight, share) for built in _repairs(at)]
    nearest = max((weight for _, _, _, weight, _ in rows), default=1.0)
    for built, symptom, value, _, share in rows:
        share *= _named_in(built, source, text) / nearest * (1.0 if nearest > _UNNAMED else _NOWHERE)
        built = replace(built, weight=built.weight * share)
        if built.calls not in found or found[built.calls].built.weight < built.weight:
            found[built.calls] = Found(_explained(built, symptom), symptom, value)
    return sorted(found.values(), key=lambda one: -one.built.weight)


def _repairs(at: SeenError) -> Iterator[Built]:
    for one in CAUSES.get(at.kind, ()):
        # A fix of an error asks what kind of error was seen; here the symptom is in its place.
        yield from one(at)


def _explained(built: Built, symptom: str) -> Built:
    doubt = assumed(f"taken for the cause: {why(symptom)}")
    return replace(built, doubts=(*built.doubts, doubt))


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


_WORDS = frozenset(
    [
        "lower",
        "upper",
        "strip",
        "sort",
        "sorted",
        "append",
        "get",
        "items",
        "name",
        "last",
        "first",
        "count",
        "all",
        "open",
        "close",
        "closed",
    ]
)
"""Names that are words of a sentence as well."""


def _numbers_said(text: str) -> list[int]:
    found = (phrases.number(word) or "" for word in re.findall(r"\d+|[^\W\d_]+", text))
    return [int(one) for one in found if one.isdecimal()]


def _stems(text: str) -> set[str]:
    return {word for word in features(text) if " " not in word and word not in "_#"}


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
    surely = [one for one in named if one.name in code]
    owners = {one.name for one in source.definitions if isinstance(one, ast.ClassDef) and one.name in said}
    scored = []
    for function in source.functions:
        owner = source.class_of(function)
        if surely:
            fit = 1.0 if function in surely else 0.0
        elif owners:
            fit = 1.0 if owner is not None and owner.name in owners else 0.0
        else:
            own = _stems(" ".join(identifier_words(function.name)))
            fit = len(own & plain) / max(len(own), 1)
            around = _stems(" ".join(identifier_words(owner.name))) if owner is not None else set[str]()
            fit = max(fit, 0.5 * bool(around & plain), 0.6 if function in here else 0.0)
            fit = max(fit, 0.8 * _overlap(function, plain))
            fit = (1.0 if function in named else _BESIDE * fit) if named else fit
        scored.append((function, fit))
    top = max((fit for _, fit in scored), default=0.0)
    for function, fit in scored:
        if surely or owners:
            if fit:
                yield function, fit
        else:
            yield function, _UNNAMED + (1 - _UNNAMED) * (fit / top if top else 0.0) * min(1.0, top + 0.3)


def _overlap(function: Function, plain: set[str]) -> float:
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


def _named_in(built: Built, source: Source, text: str) -> float:
    """How well a message goes with the lines of a repair: by the names and numbers that stand there."""
    spot = getattr(built.calls[0], "place", None)
    if spot is None or not spot.first:
        return 1.0
    shown = "\n".join(source.lines[spot.first - 1 : spot.last or spot.first])
    words = {word for name in shown.replace(".", " ").split() for word in identifier_words(name)}
    both = _stems(" ".join(words)) & _stems(text)
    return 1.0 + 0.1 * min(len(both), 3)
