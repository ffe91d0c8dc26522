"""One more edit to choose: a change that some of the offered edits make at one place each, at all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.families.names.imports import AddImport
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation, slots_of
from spark_tui.codemods.slots import Place, Symbol
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Way, is_about_choice
from spark_tui.intent.planning.executing import plan_of
from spark_tui.intent.planning.titles import title_of_calls
from spark_tui.intent.words.doubts import SEVERAL, is_of
from spark_tui.pysource.repository import Repository


def with_all_places(ways: Sequence[Way], situation: Situation, rest: Iterable[Way] = ()) -> tuple[Way, ...]:
    """The edits, and behind them the one that makes the change which most of them share at each place.
    `rest`: further edits, for which the list has no room."""
    groups = defaultdict(list)
    for way in ways:
        for change in _changes(way):
            groups[change].append(way)
    shared = max(groups, key=lambda change: len(groups[change]), default=())
    alike = groups[shared]
    if len(alike) > 1 and not _are_all(alike):
        alike += [way for way in rest if shared in _changes(way)]
    joined = _joined(alike, situation) if len(alike) > 1 and _are_all(alike) else None
    if joined is None or any(set(way.plan.edits) == set(joined.plan.edits) for way in ways):
        return tuple(ways)
    return (*ways, joined)


def _changes(way: Way) -> Iterator[tuple[object, ...]]:
    """What an edit changes, wherever it does; and its reading where several places fit, so that what is
    written may differ by the place. Of several definitions one is meant."""
    main = _main(way)
    yield way.from_before, *map(_without_place, main)
    several = any(is_of(mark, *SEVERAL) and mark.number > 1 for mark in way.marked)
    if (
        several
        and way.done is not None
        and all(isinstance(getattr(call, "place", None), Place) for call in main)
    ):
        yield way.from_before, str(way.done.reading), tuple(map(type, main))


def _main(way: Way) -> list[Operation]:
    return [call for call in way.calls if not isinstance(call, AddImport)]


def _without_place(call: Operation) -> tuple[object, ...]:
    """What a call does, to something of some name, wherever it does it."""
    values = [getattr(call, one.name) for one in slots_of(type(call))]
    names = [value.name.rpartition(".")[2] for value in values if isinstance(value, Symbol)]
    return type(call), *names, *(value for value in values if not isinstance(value, Place | Symbol))


def _are_all(ways: Sequence[Way]) -> bool:
    """Whether no more places fit than these: some of many are no better guess than one."""
    numbers = (mark.number for way in ways for mark in way.marked if is_of(mark, *SEVERAL))
    return max(numbers, default=0) <= len(ways)


def _joined(ways: Sequence[Way], situation: Situation) -> Way | None:
    """The edits as one; None where they get in each other's way, or do harm together."""
    first, repo = ways[0], situation.repo
    if first.from_before and situation.before is not None:
        repo = situation.before
    # From the last place to the first: a call may name lines, which what comes before would move.
    upwards = sorted(ways, key=_where, reverse=True)
    calls = tuple(dict.fromkeys(call for way in upwards for call in way.calls))
    found = plan_of(calls, repo)
    if not isinstance(found, Plan) or found.texts(repo) != _texts_of_all(ways, repo):
        return None
    plan = checked(found, repo)
    if any(finding.sure for finding in plan.findings):
        return None
    marked = [mark for way in ways for mark in way.marked if not is_about_choice(mark)]
    marked += [f"{finding.path}:{finding.line} {finding.reason}" for finding in plan.findings]
    done = replace(first.done, calls=calls) if first.done is not None else None
    title = title_of_calls([call for way in ways for call in way.calls], repo, situation.repo)
    return replace(
        first,
        calls=calls,
        plan=plan,
        confidence=min(way.confidence for way in ways),
        marked=tuple(dict.fromkeys(marked)),
        title=title if title != first.title else f"{title}; and {len(ways) - 1} more",
        done=done,
        evidence={},
        may_be_unmarked=False,
    )


def _where(way: Way) -> tuple[str, int]:
    return min(((edit.path, edit.start) for edit in way.plan.edits), default=("", 0))


def _texts_of_all(ways: Sequence[Way], repo: Repository) -> Mapping[str, str | None] | None:
    """The files with the edits of all, if these do not touch each other and make no files."""
    plans = [way.plan for way in ways]
    if any(plan.created or plan.removed or plan.moved for plan in plans):
        return None
    try:
        return Plan(tuple(dict.fromkeys(edit for plan in plans for edit in plan.edits))).texts(repo)
    except ValueError:  # edits overlap
        return None
