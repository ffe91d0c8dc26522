"""Tries repairs of code until a test that fails passes, and the others still do."""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile

from spark_tui.codemods.plan import Refused
from spark_tui.intent.building.building import Built, call, line_range
from spark_tui.intent.context.areas import area_of
from spark_tui.intent.context.crashes import log_crash
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.defects.described import known_causes
from spark_tui.intent.fixes.seen_error import SeenError, line_for_title
from spark_tui.intent.planning.executing import planned
from spark_tui.intent.slips.finding import Found, find_slips
from spark_tui.intent.trying.examples import Example, examples_in
from spark_tui.intent.trying.failing_tests import (
    exceptions_in,
    is_report,
    named_tests,
    names_test,
    reported,
    test_files,
)
from spark_tui.intent.trying.modules import modules_for
from spark_tui.intent.trying.wanted import value_of, wanted_tests
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.intent.words.readings import Reading
from spark_tui.problems.problem import Frame
from spark_tui.pysource.modules import is_test_file
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.trials.trial import Outcome, Test, Trial, TrialEnded, can_try, trial_of

_LOG = logging.getLogger("spark.intent")
_READING = Reading("fix_error", 1.0)
_SECONDS = 2.0
_BATCH, _SLOW_BATCH = 100, 10
"""Repairs that are tried together; of a test that does not end fewer."""
_ENOUGH = 6
_FAR = 0.15
"""How likely a repair has to be beside the best that was found for the search to go on."""
_AFTER = 0.6
"""Seconds for which others are looked for after the first that is found."""
_OF_CAUSE = 1.5
_MOST_OTHERS = 60
"""Passing tests that every repair is tried with; the rest with those that are found."""
_MOST_FAILING = 8
_SHORTEST, _TIMES, _LONGEST = 0.04, 5, 0.5
"""Seconds that a test may take: some, and so many times what it took before, but no more than that."""
_SHOWN = 60
_Candidate = tuple[float, str, str, Found | Built]
"""How likely it is, its file, the text that the file would have, and the repair."""
_MOST, _LEAST = 0.85, 0.04
"""How likely a repair has to be at least, however well it passes."""


@dataclass
class Failing:
    """The tests that fail, those that pass and are to go on so, and the lines that each of them runs."""

    tests: dict[Test, Outcome] = field(default_factory=dict)
    passing: dict[Test, Outcome] = field(default_factory=dict)
    wants: dict[Test, str] = field(default_factory=dict)
    """Of examples: what they are to give, in words."""
    told: list[str] = field(default_factory=list)


def tried_repairs(situation: Situation, own_tests: bool, known: Mapping[str, str | None]) -> list[Built]:
    """The repairs that make the tests pass that a message names, the likeliest first; without any, its
    examples, and else all tests of the open file (`own_tests`). None if an edit that is `known`, by the texts
    of its files, makes them pass."""
    if not can_try():
        return []
    repo, path, text = situation.repo, situation.path, situation.instruction
    named = named_tests(text, situation)
    here = path in repo.index.modules.paths and repo.index.source(path).tree is not None
    shown = examples_in(text, repo.index.source(path)) if here and not named and not is_report(text) else []
    shown = [one for one in shown if one.said]
    files = test_files(situation)
    own_tests = own_tests and not names_test(text)
    if not (named or shown or (own_tests and files)):
        return []
    modules = modules_for(repo, [*named, *files, *([path] if here else [])])
    if modules is None:
        return []
    try:
        with trial_of(modules, _SECONDS) as trial:
            failing = _failing(trial, situation, named, shown, files if own_tests or not named else [])
            if not failing.tests or _passes(trial, repo, known, failing):
                return []
            return _repairs(trial, situation, failing)
    except (TrialEnded, OSError) as error:
        _LOG.info("a trial ended: %s", error)
        return []


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
        if outcome.state not in ("passed", "failed"):
            continue
        for test, wants, fails in wanted_tests(module, example, outcome, trial):
            (found.tests if fails else found.passing)[test] = outcome
            found.wants[test] = f"{example.code} {wants}"
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
    found.told = list(dict.fromkeys(found.told))
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


def _repairs(trial: Trial, situation: Situation, failing: Failing) -> list[Built]:
    repo, context = situation.repo, Context(_READING, situation)
    candidates: list[_Candidate] = []
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
        slips = find_slips(source, lines, failing.told, shown)
        candidates += [(one.weight, path, one.text, one) for one in slips]
        candidates += _of_causes(context, source, lines)
    candidates = [one for one in candidates if one[0] >= _LEAST]
    candidates.sort(key=lambda one: -one[0])
    passed = _passing(trial, repo, candidates, failing)
    return [_built(weight, one, failing) for weight, _, _, one in passed]


def _of_causes(context: Context, source: Source, lines: Mapping[int, float]) -> Iterator[_Candidate]:
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
                    yield (
                        _OF_CAUSE * min(cause.plain * built.weight + 0.1, 1.0) * share,
                        source.path,
                        text,
                        built,
                    )


def _passes(trial: Trial, repo: Repository, known: Mapping[str, str | None], failing: Failing) -> bool:
    names = repo.index.modules.names
    changed = {name: text for path, text in known.items() if text is not None for name in names(path)}
    return bool(changed) and trial.vary([changed], list(failing.tests), list(failing.passing)) == [(True, 0)]


def _passing(
    trial: Trial,
    repo: Repository,
    candidates: Sequence[_Candidate],
    failing: Failing,
) -> list[_Candidate]:
    """The candidates with which all failing tests pass and none of the others fails."""
    first, others = list(failing.tests), list(failing.passing)
    out: list[_Candidate] = []
    tried, began = set[str](), trial.seconds_left
    ended = [one.seconds for one in (*failing.tests.values(), *failing.passing.values()) if one.ended]
    limit = min(_SHORTEST + _TIMES * max(ended, default=0.0), _LONGEST)
    size = _BATCH if all(one.ended for one in failing.tests.values()) else _SLOW_BATCH
    for low in range(0, len(candidates), size):
        batch = [one for one in candidates[low : low + size] if one[2] not in tried]
        tried |= {one[2] for one in batch}
        late = out and began - trial.seconds_left > _AFTER
        if len(out) >= _ENOUGH or late or (out and batch and batch[0][0] < _FAR * out[0][0]):
            break
        try:
            results = trial.vary(_variants(repo, batch), first, others[:_MOST_OTHERS], limit)
        except TrialEnded:
            break
        for one, (good, bad) in zip(batch, results, strict=True):
            if good and not bad:
                began = began if out else trial.seconds_left
                out.append(one)
    rest = others[_MOST_OTHERS:] if out else []
    try:
        results = trial.vary(_variants(repo, out), [], rest, limit) if rest else []
    except TrialEnded:
        failing.passing = dict(islice(failing.passing.items(), _MOST_OTHERS))
        return out
    return [one for one, (_, bad) in zip(out, results, strict=True) if not bad] if rest else out


def _variants(repo: Repository, candidates: Sequence[_Candidate]) -> list[dict[str, str]]:
    return [dict.fromkeys(repo.index.modules.names(path), text) for _, path, text, _ in candidates]


def _built(weight: float, one: Found | Built, failing: Failing) -> Built:
    doubt, weight = Doubt(_said(failing), DoubtKind.TRIED), min(math.sqrt(weight), _MOST)
    if isinstance(one, Built):
        return replace(one, weight=weight, doubts=(*one.doubts, doubt))
    return replace(_of_lines(one, weight), doubts=(doubt,))


def _of_lines(one: Found, weight: float) -> Built:
    """The lines that a slip changes, with what they become; a line that only goes is shown with the next."""
    source = one.source
    old, new = source.lines, Source(one.text).lines
    first = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
    rest = zip(reversed(old[first:]), reversed(new[first:]), strict=False)
    behind = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], rest))
    while not "".join(new[first : len(new) - behind]).strip() or len(old) - behind <= first:
        behind, first = (behind - 1, first) if behind else (behind, first - 1)
    text = "".join(new[first : len(new) - behind])
    place = line_range(source.path, first + 1, len(old) - behind)
    at = min(max(min(one.changes)[0] - source.starts[first], 0), len(text))
    row = text.count("\n", 0, at)
    title = f"{line_for_title(text, at, at)} at line {first + row + 1}"
    if len(new) < len(old):
        title = f"without: {line_for_title(old[first], 0, 0)} at line {first + 1}"
    made = call("replace_lines", place=place, text=text.rstrip("\r\n"))
    return Built((made,), weight, (), title)


def _said(failing: Failing) -> str:
    """What was tried, in words."""
    wants = [failing.wants[one] for one in failing.tests if one in failing.wants]
    tests = [name.rpartition("::")[2] for _, name in failing.tests if not name.startswith(">>>")]
    shown = [one if len(one) <= _SHOWN else f"{one[:_SHOWN]}…" for one in wants] + [
        f"{one} passes" for one in tests
    ]
    more = f" and {len(shown) - 1} more" if len(shown) > 1 else ""
    count = len(failing.passing.keys() - failing.wants.keys())
    kept = f"{count} other tests still pass" if count > 1 else "1 other test still passes"
    others = f", {kept}" if count else ""
    return f"found by trying: {shown[0]}{more}{others}"
