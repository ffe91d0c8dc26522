"""Candidates and plans without what an instruction leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.slots import Place as LinePlace
from spark_tui.codemods.slots import Symbol
from spark_tui.intent.context.left_out_by_number import TAKING_AWAY, without_counted
from spark_tui.intent.context.lookup import Names
from spark_tui.intent.context.matches import Match
from spark_tui.intent.context.places_left_out import Place, not_found, places_left_out, said_of_file
from spark_tui.intent.context.situation import Candidate, Situation
from spark_tui.intent.words.doubts import Doubt, DoubtKind, is_of
from spark_tui.intent.words.readings import Span


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


def _is_at(call: Operation, places: Sequence[Place], situation: Situation) -> bool:
    """Whether a call is for lines of a place that is left out."""
    at = getattr(call, "place", None)
    if not isinstance(at, LinePlace) or at.path not in situation.repo.index.paths or at.first < 1:
        return False
    start = situation.repo.index.source(at.path).line_span(at.first - 1, at.first)[0]
    return any(at.path == path and (low <= start < high or high < 0) for path, low, high in places)


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
    candidate, too_few = without_counted(candidate, situation)
    known = _known(candidate, names)
    missing = not_found(candidate.reading, situation, names)
    by_words = candidate.reading.intent.startswith(TAKING_AWAY)
    lost = [
        span.text
        for span, found in known.items()
        if span in too_few
        or span.text in missing
        or (
            any(is_of(why, DoubtKind.READ_AS) for item in found for why in item.doubts)
            and not (by_words and said_of_file(span, situation))
        )
    ]
    places = places_left_out(candidate.reading, situation, names)
    left = (one for one in candidate.calls if not _is_of(one, known) and not _is_at(one, places, situation))
    calls = tuple(left) or candidate.calls
    return replace(
        candidate,
        calls=calls,
        doubts=(
            *candidate.doubts,
            *(Doubt(f"not left out: {text}", DoubtKind.NOT_LEFT_OUT) for text in lost),
        ),
    )


def goes_over(plan: Plan, left: Sequence[Place]) -> bool:
    """Whether an edit goes over places that are left out."""
    return any(
        edit.path == path and edit.start < high and low < edit.end
        for edit in plan.edits
        for path, low, high in left
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
