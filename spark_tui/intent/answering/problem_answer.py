"""From a problem that a check reported to its fixes: an edit, or a choice of edits, without reading words."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.codemods.plan import Refused
from spark_tui.intent.answering.try_readings import done
from spark_tui.intent.building.building import Built
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Candidate, Situation
from spark_tui.intent.fixes.by_error import fixes_of
from spark_tui.intent.fixes.seen_error import SeenError, classify_error
from spark_tui.intent.fixes.syntax import repair_syntax
from spark_tui.intent.planning.answers import UNSURE, Answer, Way
from spark_tui.intent.planning.executing import (
    Executed,
    checked_plan,
    decision_settings,
    planned,
    reasons_to_mark,
)
from spark_tui.intent.planning.titles import title_of_calls
from spark_tui.intent.words.readings import Reading
from spark_tui.problems.problem import Problem

_READING = Reading("fix_error", 1.0, {})
_MOST_CHOICES = 5
_MOST_PLANNED = 10
_CLEAR = 1.6
"""How much likelier than the next one a fix is that is offered alone."""
_LEAST_SHARE = 0.55
"""The least probability, relative to the most likely fix, for a fix to be offered with it."""
_UNMARKED = 0.9


def answer_problem(problem: Problem, situation: Situation) -> Answer:
    """The fixes of a problem, else of its causes, planned and checked; a sentence where nothing is known."""
    tried = (_built(item, situation) for item in (problem, *problem.causes))
    return offer_fixes(next(filter(None, tried), []), situation)


def offer_fixes(built: Sequence[Built], situation: Situation, harmless: bool = False) -> Answer:
    """An edit or a choice of those fixes that can be made; they come with the likeliest first. `harmless`:
    only those that break nothing for all that is known."""
    built = [item for item in built if item.weight >= _LEAST_SHARE * built[0].weight]
    found: list[tuple[float, Built, Executed]] = []
    texts: set[tuple[tuple[str, str | None], ...]] = set()
    for one in built[:_MOST_PLANNED]:
        if len(found) == _MOST_CHOICES or (found and found[0][0] > _CLEAR * one.weight):
            break
        calls, plan = planned(one.calls, situation.repo)
        if isinstance(plan, Refused):
            continue
        after = plan.texts(situation.repo)
        key = tuple(sorted(after.items()))
        if key in texts or plan.changes_nothing:
            continue
        texts.add(key)
        candidate = Candidate(calls, _READING, one.doubts, one.weight)
        executed = checked_plan(Executed(candidate, calls, plan, one.weight, after), situation.repo)
        if not any(finding.sure or harmless for finding in executed.plan.findings):
            found.append((one.weight, one, executed))
    if not found:
        return Answer("cannot", reason=decision_settings()["sentences"]["no_fix"])
    alone = len(found) == 1 or found[0][0] > _CLEAR * found[1][0]
    ways = tuple(_way(one, executed, situation, alone) for _, one, executed in found)
    return Answer("edit", ways[:1]) if alone else Answer("choices", ways, best=ways[0])


def _built(problem: Problem, situation: Situation) -> list[Built]:
    """The fixes of a problem, the likeliest first."""
    repo = situation.repo
    path = problem.path
    if path and path not in repo.index.all_paths:
        homes = paths_named(repo, path)
        path = homes[0][0] if homes else ""
    if path not in repo.index.modules.paths:
        return []
    context = Context(_READING, situation)
    source = repo.index.source(path)
    if source.tree is None:
        return sorted(repair_syntax(context, path), key=lambda item: -item.weight)
    kind, groups = classify_error(problem.message)
    callers = tuple((frame.path, frame.line) for frame in reversed(problem.frames))
    seen = SeenError(
        context, kind, problem.message, problem.line, Area(path), source, source.tree, groups, callers, True
    )
    return fixes_of(seen, problem.code)


def _way(built: Built, executed: Executed, situation: Situation, alone: bool) -> Way:
    why = reasons_to_mark(executed)
    sure = alone and built.weight >= _UNMARKED and executed.plan.unmarked
    return Way(
        executed.calls,
        executed.plan,
        min(built.weight, 1.0),
        why if why or sure else (UNSURE,),
        built.title or title_of_calls(built.calls, situation.repo),
        done(executed, situation.instruction),
    )
