"""Candidates are planned on the repository and checked; those with one result are one."""

from __future__ import annotations

import ast
import datetime
import re
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from spark_tui.codemods.checks.harm import checked
from spark_tui.codemods.families.statements.placement import DeleteStatements, ReplaceStatements
from spark_tui.codemods.families.values.replacement import ReplaceExpression
from spark_tui.codemods.imports.relative import relative_name
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.joined_calls import join
from spark_tui.intent.building.building import call
from spark_tui.intent.context.import_origins import home_of, known_imports, standard_homes
from spark_tui.intent.context.leaving_out import goes_over, remove_places_left_out
from spark_tui.intent.context.places_left_out import Place
from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.facts.unset_names import never_set, with_attribute
from spark_tui.intent.planning.doubled_calls import doubled_call, shows_doubled
from spark_tui.intent.words.doubts import SEVERAL, Doubt, DoubtKind, is_of, taken_for
from spark_tui.pysource.repository import Repository
from spark_tui.tables import table_beside

_FAILURES = (RecursionError, SyntaxError, ValueError, LookupError, AssertionError, AttributeError, TypeError)
"""Of an operation that met code it does not expect: it is one that cannot be done."""
TAKING_AWAY = (DeleteStatements, ReplaceStatements)
"""Operations after which a name may be undefined."""
_NEAR = 0.7
"""The share of the likeliest result from which another one is checked beside it."""


ALL_OF_LINE = Doubt("several places fit on the line, and all are changed", DoubtKind.WHOLE_LINE)


decision_settings = table_beside(__file__, "decision.toml")
"""The numbers and sentences of `decision.toml`."""


@dataclass(frozen=True)
class Executed:
    """A result that one or more candidates have. `mass` is the probability of them all."""

    candidate: Candidate
    calls: tuple[Operation, ...]
    plan: Plan
    mass: float
    texts: Mapping[str, str | None]


@dataclass(frozen=True)
class Outcome:
    """What came of the candidates of an order."""

    executed: tuple[Executed, ...]
    refused: tuple[tuple[float, Refused, Candidate], ...]
    """Refusals with the probability of their candidates, the likeliest first."""
    unbuilt: tuple[tuple[float, str, Candidate], ...]
    """Readings of which no call could be built, and why."""

    @property
    def nothing(self) -> float:
        """The probability that all is as asked for already."""
        return sum(mass for mass, found, _ in self.refused if found.why == "nothing")


def execute(
    candidates: Sequence[tuple[float, Candidate]],
    repo: Repository,
    left_out: Callable[[Candidate], list[Place]] = lambda _: [],
    every: bool = False,
    checks: bool = True,
) -> Outcome:
    """Plan the likeliest of some candidates, given with their probabilities, and check the best; or plan
    `every` one, unchecked.

    `left_out` tells the places that a candidate is to leave alone. How many are planned is a count; the clock
    ends it only where planning takes far longer than it should."""
    until = time.perf_counter() + float(decision_settings()["seconds"])
    unbuilt = [(mass, one.refused, one) for mass, one in candidates if not one.calls and not one.nothing]
    ready = sorted(((mass, one) for mass, one in candidates if one.calls), key=lambda item: -item[0])
    done: dict[tuple[tuple[str, str | None], ...], Executed] = {}
    ways: dict[tuple[tuple[str, str | None], ...], set[tuple[Operation, ...]]] = defaultdict(set)
    refused = [(mass, Refused(one.refused, why="nothing"), one) for mass, one in candidates if one.nothing]
    floor = ready[0][0] * float(decision_settings()["least_candidate"]) if ready and not every else 0.0
    for mass, one in ready[: int(decision_settings()["most_planned" if every else "most_candidates"])]:
        if (done or refused) and (mass < floor or time.perf_counter() > until):
            break
        calls, found = planned(one.calls, repo)
        if isinstance(found, Refused):
            refused.append((mass, found, one))
            continue
        if unset := never_set(found, repo):
            own = with_attribute(calls, unset, repo)
            again = plan_of(own, repo) if own else None
            if own and isinstance(again, Plan) and not never_set(again, repo):
                calls, found = own, again
                one = replace(one, doubts=(*one.doubts, taken_for(unset, f"self.{unset}")))
            elif not _is_shown(unset, one):
                refused.append((mass, Refused(f"{unset} is not set yet there"), one))
                continue
        if not shows_doubled(one.reading) and (twice := doubled_call(found, repo)):
            refused.append((mass, Refused(f"{twice}() is called there already", why="nothing"), one))
            continue
        if _whole_lines(one.calls) == calls[: len(one.calls)] != one.calls:
            one = replace(one, doubts=(*one.doubts, ALL_OF_LINE))
        left = left_out(one)
        kept = remove_places_left_out(found, left)
        if kept.changes_nothing or goes_over(kept, left):  # what would leave out all was read wrongly
            lost = (f"not left out: {span.text}" for span in one.reading.left_out)
            one = replace(one, doubts=(*one.doubts, *(Doubt(text, DoubtKind.NOT_LEFT_OUT) for text in lost)))
        found = found if kept.changes_nothing else kept
        texts = found.texts(repo)
        same = tuple(sorted(texts.items()))
        ways[same].add(one.calls)
        if same in done:
            done[same] = replace(done[same], mass=done[same].mass + mass)
        else:
            done[same] = Executed(one, calls, found, mass, texts)
    told = (replace(one, candidate=_told_apart(one.candidate, len(ways[same]))) for same, one in done.items())
    best = sorted(told, key=lambda item: -item.mass)
    out: list[Executed] = []
    for at, each in enumerate([] if every else best):
        # What is much less likely than a first one that does no harm is checked when it is offered.
        late = at and (time.perf_counter() > until or each.mass < 0.25 * best[0].mass)
        late = late or (at and not out[0].plan.findings and each.mass < _NEAR * best[0].mass)
        most = int(decision_settings()["most_checked"]) if checks else 0
        out.append(each if late or at >= most else checked_plan(each, repo))
    refused.sort(key=lambda item: -item[0])
    return Outcome(
        tuple(best if every else out), tuple(refused), tuple(sorted(unbuilt, key=lambda item: -item[0]))
    )


def _is_shown(name: str, candidate: Candidate) -> bool:
    """Whether a name stands in code that is shown, or the edit amends another one: then it is only marked."""
    spans = [span for span in candidate.reading.spans if span.quoted]
    shown = any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", span.text) for span in spans)
    return shown or candidate.reading.intent.startswith("amend.")


def _told_apart(candidate: Candidate, ways: int) -> Candidate:
    """The candidate without a doubt about which of so many is meant, where all of them come to the same:
    methods that override each other change together."""
    left = tuple(doubt for doubt in candidate.doubts if not (is_of(doubt, *SEVERAL) and doubt.number <= ways))
    return replace(candidate, doubts=left) if len(left) < len(candidate.doubts) else candidate


def plan_of(calls: Sequence[Operation], repo: Repository) -> Plan | Refused:
    """One plan of all calls; a single one as it plans itself. It is made once: several readings, and a
    message that is read after an edit and by itself, come to the same calls."""
    repo.index.work()
    known = _PLANS.setdefault(repo, {})
    key = tuple(calls)
    if key not in known:
        if len(known) >= _MOST_PLANS:
            known.clear()
        known[key] = _new_plan(calls, repo)
    return known[key]


_PLANS: WeakKeyDictionary[Repository, dict[tuple[Operation, ...], Plan | Refused]] = WeakKeyDictionary()
"""The plans of each repository that is in use."""
_MOST_PLANS = 64


def _new_plan(calls: Sequence[Operation], repo: Repository) -> Plan | Refused:
    try:
        return calls[0].plan(repo) if len(calls) == 1 else join(calls, repo)
    except _FAILURES as error:
        return Refused(f"{type(error).__name__}: {error}")


def planned(calls: tuple[Operation, ...], repo: Repository) -> tuple[tuple[Operation, ...], Plan | Refused]:
    """The calls that can be made, with the imports that they need, and their plan."""
    found = plan_of(calls, repo)
    for other in (_whole_lines(calls), _anyway(calls)):
        if isinstance(found, Refused) and other != calls:
            again = plan_of(other, repo)
            calls, found = (other, again) if isinstance(again, Plan) else (calls, found)
    if isinstance(found, Refused):
        return calls, found
    extra = imports_for(found, repo)
    if extra:
        more = plan_of((*calls, *extra), repo)
        if isinstance(more, Plan):
            return (*calls, *extra), more
    return calls, found


def _whole_lines(calls: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The calls with what is replaced on one line replaced wherever it stands on that line."""
    wide = [
        replace(operation, every=True)
        if isinstance(operation, ReplaceExpression) and operation.place.first == operation.place.last > 0
        else operation
        for operation in calls
    ]
    return tuple(one for at, one in enumerate(wide) if one not in wide[:at])


def _anyway(calls: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The calls, where what they take away may still be used."""
    return tuple(replace(one, anyway=True) if isinstance(one, TAKING_AWAY) else one for one in calls)


def imports_for(plan: Plan, repo: Repository) -> tuple[Operation, ...]:
    """Imports of names that a plan makes undefined and that have one known home, as the file writes its own.

    A fragment leaves imports to where it belongs; of a file that does not parse, it is not known."""
    from spark_tui.pysource.names.undefined import is_fragment, undefined

    out: list[Operation] = []
    texts = plan.texts(repo)
    after = repo.with_changes(texts)
    for path in texts:
        if path not in after.index.paths or after.index.source(path).tree is None:
            continue
        known = repo.index.text(path) is not None
        if known and (repo.index.source(path).tree is None or is_fragment(repo.index.scopes(path))):
            continue
        uses = undefined(after.index.scopes(path))
        for name in sorted({use.name for use in uses}):
            module = home_of(name, repo, path)
            parents = after.index.source(path).parents
            outer = [(parents.get(use.node), use.node) for use in uses if use.name == name]
            # A module cannot be called: copy(x) is of the function that the module has.
            is_called = all(isinstance(node, ast.Call) and node.func is use for node, use in outer)
            inside = module in standard_homes().get(name, ())
            of_class = all(_is_of_class(*one) or (inside and not _is_owner(*one)) for one in outer)
            whole = module == name and not is_called and not of_class
            if module is None or (module == name and not whole and not inside):
                continue
            if (
                inside
                and not whole
                and known_imports().get(name) != module
                and all(_is_owner(*o) for o in outer)
            ):
                continue  # no function of a module has a part: log.info is not of math.log
            home = relative_name(repo, path, module)
            fields = {"module": module} if whole else {"module": home, "name": name}
            out.append(call("add_import", path=path, **fields))
    return tuple(out)


def _is_owner(around: ast.AST | None, node: ast.AST) -> bool:
    """Whether something is taken from a name, as from a module."""
    return isinstance(around, ast.Attribute) and around.value is node


def _is_of_class(around: ast.AST | None, node: ast.AST) -> bool:
    """Whether what is taken from `datetime` is of the class of that name, and not of the module: `now`."""
    attribute = around.attr if isinstance(around, ast.Attribute) and _is_owner(around, node) else ""
    named = isinstance(node, ast.Name) and node.id == "datetime"
    return named and hasattr(datetime.datetime, attribute) and not hasattr(datetime, attribute)


def checked_plan(executed: Executed, repo: Repository) -> Executed:
    """With what the checks find in its plan, unless they have looked at it."""
    if executed.plan.checked:
        return executed
    return replace(executed, plan=checked(executed.plan, repo))


def confidence_in_result(executed: Executed, whole: float) -> float:
    """How likely an executed candidate is what was meant, of all the probability that is left."""
    numbers = decision_settings()
    share = executed.mass / whole if whole > 0 else 0.0
    for finding in executed.plan.findings:
        share *= float(numbers["finding"] if finding.sure else numbers["doubtful_finding"])
    if executed.plan.unfollowed:
        share *= float(numbers["unfollowed"])
    return min(share * float(numbers["guess"]) ** len(executed.candidate.doubts), 1.0)


def by_confidence(outcome: Outcome, whole: float) -> list[tuple[float, Executed]]:
    """What was executed with that confidence, the surest first."""
    found = ((confidence_in_result(item, whole), item) for item in outcome.executed)
    return sorted(found, key=lambda item: -item[0])


def harms(executed: Executed) -> bool:
    """Whether an edit would surely break something."""
    return any(finding.sure for finding in executed.plan.findings)


def reasons_to_mark(executed: Executed) -> tuple[str, ...]:
    """Why an edit is marked: what was guessed, not followed, or found by the checks."""
    plan = executed.plan
    out = list(executed.candidate.doubts)
    out += [f"{finding.path}:{finding.line} {finding.reason}" for finding in plan.findings]
    out += [f"{unfollowed.path}:{unfollowed.line} {unfollowed.reason}" for unfollowed in plan.unfollowed]
    return tuple(dict.fromkeys(out))
