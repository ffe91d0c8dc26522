"""Places that an instruction excepts: "not in the tests", "but leave Cart alone"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.lookup import Names, key
from spark_tui.intent.context.matches import Match
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of
from spark_tui.intent.words.phrases import table, words
from spark_tui.intent.words.readings import PLACES, Reading, Span
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.source import Definition

Place = tuple[str, int, int]
"""Characters of a file; a whole file has -1 as its end."""


def with_exceptions(reading: Reading, instruction: str) -> Reading:
    """The reading without places that stand directly behind words such as *everywhere but in* or *, but leave
    those in*: they are left out."""
    slots, left = dict(reading.slots), [*reading.left_out]
    for slot in PLACES:
        for span in reading.slots.get(slot, ()):
            if span.start > 0 and _excepting().search(instruction, 0, span.start):
                left.append(span)
        slots[slot] = tuple(span for span in slots.get(slot, ()) if span not in left)
    if len(left) == len(reading.left_out):
        return reading
    kept = {slot: spans for slot, spans in slots.items() if spans}
    everywhere = reading.everywhere or kept.keys().isdisjoint(PLACES)
    return replace(reading, slots=kept, left_out=tuple(left), everywhere=everywhere)


def is_excepted(name: str, instruction: str) -> bool:
    """Whether a name follows words like *all but* or *except*."""
    but = "|".join(map(re.escape, ("but", "except", *words("excepting"))))
    form = rf"(?<!\w)(?:{but})\s+(?:the\s+)?[`'\"]?{re.escape(name)}(?!\w)"
    return re.search(form, instruction, re.IGNORECASE) is not None


@lru_cache(maxsize=1)
def _excepting() -> re.Pattern[str]:
    """What stands in front of an exception. *Except* alone may be the branch of a `try`, unless it begins a
    clause or follows what all is about."""
    kinds = ("excepting", "everywhere", "articles", "places_in", "but", "leaving_alone", "those")
    but, every, articles, inside, joining, leave, those = (
        "|".join(map(re.escape, words(kind))) for kind in kinds
    )
    everywhere = rf"(?<!\w)(?:{every})\s+(?:but|except)|(?<!\w)(?:all|every|each|any)\s+\w+\s+except"
    leaving = rf"(?:[,;.(]|(?<!\w)(?:{joining}))\s*(?:{leave})(?:\s+(?:{those}))?"
    front = rf"(?<!\w)(?:{but})|(?:\A|[,;(])\s*except|{everywhere}|{leaving}"
    return re.compile(rf"(?:{front})\s+(?:(?:{inside}|{articles})\s+)*[`'\"]?\Z", re.IGNORECASE)


def find_left_out(spans: Iterable[Span], situation: Situation, names: Names) -> list[Place]:
    """The files, folders and definitions that are left out."""
    out: list[Place] = []
    repo = situation.repo
    for span in spans:
        text = span.text.strip("`'\"./ ")
        files = [path for path, _ in paths_named(repo, text)]
        if not files:
            folder = key(text)
            tests = folder in {key(item) for item in table()["words"]["tests"]}
            files = [
                path
                for path in repo.index.all_paths
                if folder in map(key, path.split("/")[:-1]) or (tests and is_test_file(path))
            ]
        # A package is all of its folder, not only the `__init__.py` that its name is a module of.
        folders = tuple(one.removesuffix("__init__.py") for one in files if one.endswith("/__init__.py"))
        files += [one for one in repo.index.all_paths if folders and one.startswith(folders)]
        if files:
            out += [(path, 0, -1) for path in files]
            continue
        for match in names.find(text, near=())[:1]:
            node = match.target.node
            if isinstance(node, Definition):
                source = repo.index.source(match.target.path)
                low, high = source.line_span(source.first_line(node), source.last_line(node))
                out.append((match.target.path, low, high))
    return out


def _known(candidate: Candidate, names: Names) -> dict[Span, list[Match]]:
    """What the places that are left out name."""
    return {span: names.find(span.text.strip("`'\"./ "))[:1] for span in candidate.reading.left_out}


def _is_of(call: Operation, known: Mapping[Span, Sequence[Match]]) -> bool:
    """Whether a call is for what is inside of something that is left out."""
    at = getattr(call, "target", None)
    outer = [(item.target.path, f"{item.target.qualname}.") for found in known.values() for item in found]
    return isinstance(at, Symbol) and any(
        at.path == path and f"{at.name}.".startswith(name) for path, name in outer
    )


def without_left_out(candidates: Sequence[Candidate], names: Names) -> list[Candidate]:
    """The candidates without those that are for nothing but what is left out, where there are others."""
    kept = [
        one
        for one in candidates
        if not one.calls or not all(_is_of(call, _known(one, names)) for call in one.calls)
    ]
    return kept if any(one.calls for one in kept) else [*candidates]


def leave_out(candidate: Candidate, situation: Situation, names: Names) -> Candidate:
    """The candidate without calls for what is left out, and with a doubt about what names nothing."""
    known = _known(candidate, names)
    lost = [
        span.text
        for span, found in known.items()
        if not find_left_out((span,), situation, names)
        or any(is_of(why, DoubtKind.READ_AS) for item in found for why in item.doubts)
    ]

    calls = tuple(one for one in candidate.calls if not _is_of(one, known)) or candidate.calls
    return replace(
        candidate,
        calls=calls,
        doubts=(
            *candidate.doubts,
            *(Doubt(f"not left out: {text}", DoubtKind.NOT_LEFT_OUT) for text in lost),
        ),
    )


def remove_places_left_out(plan: Plan, left: list[Place]) -> Plan:
    """The plan without what it does in the places that are left out."""
    if not left:
        return plan
    whole = {path for path, _, high in left if high < 0}

    def kept(path: str, start: int) -> bool:
        inside = any(path == one and low <= start < high for one, low, high in left)
        return path not in whole and not inside

    return replace(
        plan,
        edits=tuple(edit for edit in plan.edits if kept(edit.path, edit.start)),
        created={path: text for path, text in plan.created.items() if path not in whole},
        removed=tuple(path for path in plan.removed if path not in whole),
        unfollowed=tuple(unfollowed for unfollowed in plan.unfollowed if unfollowed.path not in whole),
    )
