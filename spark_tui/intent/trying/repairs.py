"""Tries repairs of code until a test that fails passes, and the others still do."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import NamedTuple

from spark_tui.codemods.plan import Refused
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.areas import area_of
from spark_tui.intent.context.crashes import log_crash
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects.described import known_causes
from spark_tui.intent.fixes.seen_error import SeenError, title_of_change, title_of_place
from spark_tui.intent.planning.executing import planned
from spark_tui.intent.slips.finding import Found, find_slips
from spark_tui.intent.trying.compared import compared
from spark_tui.intent.trying.examples import Example, examples_in, is_reproduced, value_of, wanted_tests
from spark_tui.intent.trying.failing_tests import (
    exceptions_in,
    is_report,
    named_tests,
    names_test,
    reported,
    test_files,
    values_in_tests,
)
from spark_tui.intent.trying.search import Candidate, Failing, Search, last_first, lines_changed
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.readings import Reading
from spark_tui.problems.problem import Frame
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.trials.trial import Module, Test, Trial, TrialEnded, can_try, trial_of

_LOG = logging.getLogger("spark.intent")
_READING = Reading("fix_error", 1.0)
_SECONDS, _TO_COMPARE = 4.0, 1.0
_OF_CAUSE = 1.5
_MOST_FAILING = 8
_SHOWN = 60
_LEAST, _MOST = 0.04, 0.85
"""How likely a repair has to be at least to be tried, and is taken to be at most, however well it passes."""
_MOST_FILES, _MOST_CHARACTERS = 120, 1_500_000


class TriedRepairs(NamedTuple):
    """The repairs of what fails, the likeliest first; or the tests that fail, if there is none, or those that
    a message names, if all of them pass."""

    repairs: Sequence[Built] = ()
    passing: Sequence[str] = ()
    failing: Sequence[str] = ()


def tried_repairs(situation: Situation, own_tests: bool, known: Mapping[str, str | None]) -> TriedRepairs:
    """The repairs that make the tests pass that a message names; without any, its examples, and else, or if
    those are not as they are told, all tests of the open file (`own_tests`). None if an edit that is `known`,
    by the texts of its files, makes them pass."""
    if not can_try():
        return TriedRepairs()
    repo, path, text = situation.repo, situation.path, situation.instruction
    named = named_tests(text, situation)
    here = path in repo.index.modules.paths and repo.index.source(path).tree is not None
    shown = examples_in(text, repo.index.source(path)) if here and not named and not is_report(text) else []
    shown = [one for one in shown if one.said]
    files = test_files(situation)
    own_tests = own_tests and not names_test(text)
    if not (named or shown or (own_tests and files)):
        return TriedRepairs()
    modules = modules_for(repo, [*named, *files, *([path] if here else [])])
    if modules is None or not situation.may_try():
        return TriedRepairs()
    try:
        with trial_of(modules, _SECONDS, situation.may_try) as trial:
            failing = _failing(trial, situation, named, shown, files if own_tests or not named else [])
            if (
                failing.not_reproduced
            ):  # an example needs more than is shown: the tests of the file may have it
                of_tests = _failing(trial, situation, {}, [], files)
                failing = of_tests if of_tests.tests else failing
            search = Search(trial, repo, failing)
            if not failing.tests:
                return TriedRepairs(passing=_named_passing(named, failing))
            if search.passes(known):
                return TriedRepairs()
            found = search.repairs(_candidates(situation, failing))
            if len(found) > 1:
                trial.extend(_TO_COMPARE)
                found = compared(found, search, repo, failing)
            tests = [name.rpartition("::")[2] for _, name in failing.tests if not name.startswith(">>>")]
            return TriedRepairs([_built(one, repo, failing) for one in found], failing=tests)
    except (TrialEnded, OSError) as error:
        _LOG.info("a trial ended: %s", error)
        return TriedRepairs()


def _named_passing(named: Mapping[str, set[str]], failing: Failing) -> list[str]:
    """The tests that a message names, if all of them pass."""
    asked = {name for tests in named.values() for name in tests}
    passing = {name.rpartition("::")[2] for _, name in failing.passing}
    return sorted(asked) if asked <= {name.partition("[")[0] for name in passing} else []


def _failing(
    trial: Trial,
    situation: Situation,
    named: Mapping[str, set[str]],
    shown: Sequence[Example],
    files: Sequence[str],
) -> Failing:
    repo, found = situation.repo, Failing()
    names = {path: repo.index.modules.name(path) for path in [*named, *files, situation.path]}
    for example in shown:
        module = names[situation.path]
        outcome = trial.run([(module, value_of(example))], trace=True)[0]
        runs = outcome.state in ("passed", "failed")
        if not runs or not is_reproduced(example, outcome, trial, module):
            found.not_reproduced = True
        if not runs:
            continue
        for test, wants, fails in wanted_tests(module, example, outcome, trial):
            (found.tests if fails else found.passing)[test] = outcome
            found.examples[test] = example
            found.wants[test] = f"{example.code} {wants}"
        found.values += [one.code for one in example.said if one.wanted and one.kind == "value"]
    paths = dict.fromkeys([*named, *files])
    listed = trial.tests_of([names[path] for path in paths])
    for test, outcome in zip(listed, trial.run(listed, trace=True), strict=True):
        if outcome.state == "passed":
            found.passing[test] = outcome
        elif outcome.state == "failed" and not shown and _is_meant(test, named, names):
            found.tests[test] = outcome
    found.tests = dict(islice(found.tests.items(), _MOST_FAILING))
    found.told += [one.kind for one in found.tests.values() if one.kind not in ("", "AssertionError")]
    for path, tests in named.items():
        found.told += exceptions_in(repo, path, tests)
    for path in paths:
        tests = {name.rpartition("::")[2] for module, name in found.tests if module == names[path]}
        found.values += values_in_tests(repo, path, {one.partition("[")[0] for one in tests})
    found.told, found.values = list(dict.fromkeys(found.told)), list(dict.fromkeys(found.values))
    return found


def _is_meant(test: Test, named: Mapping[str, set[str]], names: Mapping[str, str]) -> bool:
    wanted = {names[path]: tests for path, tests in named.items()}
    return not named or test[1].rpartition("::")[2] in wanted.get(test[0], set())


def _suspicion(failing: Failing) -> dict[str, dict[int, float]]:
    """For each file and line how much more it runs in failing tests than in passing ones (Ochiai)."""
    bad, good = Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for counts, outcomes in ((bad, failing.tests), (good, failing.passing)):
        for outcome in outcomes.values():
            counts.update(outcome.ran)
    out: dict[str, dict[int, float]] = {}
    for (path, line), count in bad.items():
        share = count / math.sqrt(len(failing.tests) * (count + good[path, line]))
        out.setdefault(path, {})[line] = share
    return out


def _candidates(situation: Situation, failing: Failing) -> list[Candidate]:
    """What may be meant in the functions that failing tests run, the likeliest first."""
    repo, context = situation.repo, Context(_READING, situation)
    found: dict[tuple[str, str], Candidate] = {}
    traceback = [
        (frame.path, frame.line)
        for one in reported(situation.instruction)
        for frame in (*one.frames, Frame(one.path, one.line))
    ]
    for path, lines in _suspicion(failing).items():
        if is_test_file(path):
            continue
        source = repo.index.source(path)
        shown = [line for where, line in traceback if where.endswith(path.rpartition("/")[2])]
        for one in chain(
            _of_slips(source, find_slips(source, lines, failing.told, shown, failing.values)),
            _of_causes(context, source, lines),
        ):
            key = path, one.texts[path]
            if one.weight >= _LEAST and (key not in found or found[key].weight < one.weight):
                found[key] = one
    return sorted(found.values(), key=lambda one: -one.weight)


def _of_slips(source: Source, slips: Sequence[Found]) -> Iterator[Candidate]:
    spans = [(one.lineno, source.last_line(one)) for one in source.functions]
    for one in slips:
        line = source.line_number(one.changes[0][0])
        around = max(((first, last) for first, last in spans if first <= line <= last), default=None)
        yield Candidate(
            one.weight, {source.path: one.text}, one, (source.path, *around) if around else ("", 0, 0)
        )


def _of_causes(context: Context, source: Source, lines: Mapping[int, float]) -> Iterator[Candidate]:
    """The repairs of known causes in the functions that ran."""
    repo, seen = context.repo, set[str]()
    for function in source.functions:
        share = max(
            (lines.get(at, 0.0) for at in range(function.lineno, source.last_line(function) + 1)), default=0
        )
        if not share:
            continue
        area = area_of(source, function, said=False)
        for cause in known_causes():
            at = SeenError(context, cause.symptoms[0], "", 0, area, source, function)
            try:
                found = list(cause.find(at))
            except Exception as error:
                log_crash(error, f"a cause of {at.kind}")
                continue
            for built in found:
                _, plan = planned(built.calls, repo)
                after = {} if isinstance(plan, Refused) else plan.texts(repo)
                text = after.get(source.path)
                if len(after) == 1 and text is not None and text not in seen:
                    seen.add(text)
                    weight = _OF_CAUSE * min(cause.plain * built.weight + 0.1, 1.0) * share
                    span = (source.path, function.lineno, source.last_line(function))
                    yield Candidate(weight, {source.path: text}, built, span)


def _built(one: Candidate, repo: Repository, failing: Failing) -> Built:
    doubt, weight = Doubt(_said(failing), DoubtKind.TRIED), min(math.sqrt(one.weight), _MOST)
    title = ", ".join(_title(part, repo) for part in one.repairs)
    if one.does:
        lines = [part.text.strip() for part in last_first(repo, one.repairs)]
        title = f"{one.does}: {lines[0] if len(lines) == 1 and _is_line(lines[0]) else title}"
    if isinstance(one.repair, Built):
        return replace(one.repair, weight=weight, doubts=(*one.repair.doubts, doubt), title=title)
    calls = tuple(
        call("replace_lines", place=line_range(path, first, last), text=text.rstrip("\r\n"))
        for path, first, last, text in last_first(repo, one.repairs)
    )
    return Built(calls, weight, (doubt,), title)


def _is_line(text: str) -> bool:
    return bool(text) and "\n" not in text


def _title(one: Candidate, repo: Repository) -> str:
    """What a repair of one file does: the line as it will be, or the one that goes."""
    if isinstance(one.repair, Built):
        return one.repair.title
    (path, text), *_ = one.texts.items()
    source = repo.index.source(path)
    part = lines_changed(source, text)
    if len(Source(text).lines) < len(source.lines):
        return f"without {source.lines[part.first - 1].strip()} {title_of_place(source, part.first)}"
    if one.repair is not None:
        return title_of_change(source, *min(one.repair.changes))
    low, end = source.line_span(part.first - 1, part.last)
    return title_of_change(source, low, low + len(source.text[low:end].rstrip()), part.text.rstrip())


def _said(failing: Failing) -> str:
    """What was tried, in words."""
    wants = [failing.wants[one] for one in failing.tests if one in failing.wants]
    made = [one for one in failing.tests if one not in failing.left]
    tests = [name.rpartition("::")[2] for _, name in made if not name.startswith(">>>")]
    shown = [one if len(one) <= _SHOWN else f"{one[:_SHOWN]}…" for one in wants] + [
        f"{one} passes" for one in tests
    ]
    more = f" and {len(shown) - 1} more" if len(shown) > 1 else ""
    count = len(failing.passing.keys() - failing.wants.keys())
    kept = f"{count} other tests still pass" if count > 1 else "1 other test still passes"
    others = f", {kept}" if count else ""
    still = f"; {failing.left[0][1].rpartition('::')[2]} still fails" if failing.left else ""
    still += f", and {len(failing.left) - 1} more" if len(failing.left) > 1 else ""
    return f"found by trying: {shown[0]}{more}{others}{still}"


def modules_for(repo: Repository, paths: Iterable[str]) -> dict[str, Module] | None:
    """The texts by the dotted names of their modules; None where they are too many."""
    index, found = repo.index, dict[str, None]()
    waiting = [*paths]
    while waiting:
        path = waiting.pop()
        if path in found or path not in index.modules.paths:
            continue
        found[path] = None
        if len(found) > _MOST_FILES:
            return None
        waiting += [*index.needed(path), *_around(repo, path)]
    texts = {path: index.text(path) or "" for path in found}
    if sum(map(len, texts.values())) > _MOST_CHARACTERS:
        return None
    return {
        name: Module(text, path, path.endswith("__init__.py"))
        for path, text in texts.items()
        for name in index.modules.names(path)
    }


def _around(repo: Repository, path: str) -> list[str]:
    """The files that Python or pytest runs before a file: those of its packages, and `conftest.py`."""
    parts = path.split("/")[:-1]
    folders = ["/".join(parts[:count]) for count in range(len(parts) + 1)]
    names = [f"{folder}/{name}".lstrip("/") for folder in folders for name in ("__init__.py", "conftest.py")]
    return [
        name
        for name in names
        if name in repo.index.modules.paths and (not name.endswith("conftest.py") or "test" in path)
    ]
