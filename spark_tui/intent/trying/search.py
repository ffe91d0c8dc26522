"""Which repairs make the failing tests pass and break no other one; if none does alone, several together."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import NamedTuple

from spark_tui.intent.building.building import Built
from spark_tui.intent.slips.finding import Found
from spark_tui.intent.trying.examples import Example
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.shared_ends import same_ends
from spark_tui.trials.trial import Outcome, Test, Trial, TrialEnded

_BATCH, _SLOW_BATCH = 50, 10
"""Repairs that are tried together; of a test that does not end fewer."""
_ENOUGH = 12
_FAR = 0.1
"""How likely a repair has to be beside the best that was found for the search to go on."""
_AFTER = 1.2
"""Seconds for which others are looked for after the first that is found."""
_MOST_OTHERS = 60
"""Passing tests that every repair is tried with; the rest with those that are found."""
_SHORTEST, _TIMES, _LONGEST, _AGAIN = 0.015, 8, 0.5, 0.5
"""Seconds that a test may take: some, and so many times what it took before, but no more than that."""
_MORE, _FOR_ONE = 2.0, 0.35
"""Seconds that there are more where several tests fail, and the share of all for causes of all of them."""
_OF_ONE_TEST = 3
"""Repairs of one failing test that are put together with those of others."""
_MOST_TOGETHER = 3


@dataclass
class Failing:
    """The tests that fail, those that pass and are to go on so, and the lines that each of them runs."""

    tests: dict[Test, Outcome] = field(default_factory=dict)
    passing: dict[Test, Outcome] = field(default_factory=dict)
    wants: dict[Test, str] = field(default_factory=dict)
    """Of examples: what they are to give, in words."""
    examples: dict[Test, Example] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    """Values that are asked for, as code."""
    not_reproduced: bool = False
    """Whether an example does not give now what the message says it gives."""
    left: list[Test] = field(default_factory=list)
    """Those that still fail with what was found."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A repair of one file, or several of these together."""

    weight: float
    texts: Mapping[str, str]
    """The texts that files would have."""
    repair: Found | Built | None = None
    function: tuple[str, int, int] = ("", 0, 0)
    """The file and the lines of the function that it is in, if it is in one."""
    several: tuple[Candidate, ...] = ()
    does: str = ""
    """What it does where another one does something else, in words."""

    @property
    def repairs(self) -> tuple[Candidate, ...]:
        return self.several or (self,)


class Lines(NamedTuple):
    """Lines of a file, and what they become."""

    path: str
    first: int
    last: int
    text: str


class Search:
    """Tries candidates in a trial that has the tests of `failing`."""

    def __init__(self, trial: Trial, repo: Repository, failing: Failing) -> None:
        self._trial, self._repo, self._failing = trial, repo, failing
        ended = {one: found for one, found in (failing.tests | failing.passing).items() if found.ended}
        times = [one.seconds for one in ended.values()]
        if sum(times) < _AGAIN:
            times = [one.seconds for one in trial.run(list(ended))]  # traced they took longer
        self._limit = min(_SHORTEST + _TIMES * max(times, default=0.0), _LONGEST)
        self.mean_seconds = sum(times) / max(len(times), 1)

    def passes(self, texts: Mapping[str, str | None]) -> bool:
        """Whether all tests pass with these texts of files."""
        known = {path: text for path, text in texts.items() if text is not None}
        tests = [*self._failing.tests, *self._failing.passing]
        return bool(known) and self._trial.vary([self._variant(known)], tests, []) == [(True, 0)]

    def observed(
        self, candidates: Sequence[Candidate], texts: Mapping[str, str], probes: Sequence[Test]
    ) -> list[list[tuple[str, str]]]:
        """What probes show of the code as it is, and with each candidate. `texts`: modules with probes."""
        variants = [dict(texts), *({**self._variant(one.texts), **texts} for one in candidates)]
        return self._trial.observe(variants, probes, self._limit)

    def repairs(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """The candidates with which all failing tests pass and none of the others fails; else several of
        them together, or those of the tests that have a cause for themselves."""
        tests = list(self._failing.tests)
        if len(tests) > 1:
            self._trial.extend(_MORE)
        left = self._trial.seconds_left
        out = self._passing(candidates, tests, left if len(tests) == 1 else _FOR_ONE * left)
        if not out and len(tests) > 1:
            out = self._together(candidates, tests)
        rest = list(self._failing.passing)[_MOST_OTHERS:]
        if not out or not rest:
            return out
        try:
            results = self._trial.vary([self._variant(one.texts) for one in out], [], rest, self._limit)
        except TrialEnded:
            self._failing.passing = dict(islice(self._failing.passing.items(), _MOST_OTHERS))
            return out
        return [one for one, (_, bad) in zip(out, results, strict=True) if not bad]

    def _passing(
        self, candidates: Sequence[Candidate], tests: Sequence[Test], seconds: float
    ) -> list[Candidate]:
        """Those with which some tests pass, and none of the others fails that passes now."""
        candidates = [one for one in candidates if all(self._is_run(one, test) for test in tests)]
        others = list(self._failing.passing)[:_MOST_OTHERS]
        ends = self._trial.seconds_left - seconds
        out: list[Candidate] = []
        began = self._trial.seconds_left
        size = _BATCH if all(self._failing.tests[one].ended for one in tests) else _SLOW_BATCH
        for low in range(0, len(candidates), size):
            batch = candidates[low : low + size]
            late = out and began - self._trial.seconds_left > _AFTER
            far = out and batch[0].weight < _FAR * out[0].weight
            if len(out) >= _ENOUGH or late or far or self._trial.seconds_left < ends:
                break
            try:
                variants = [self._variant(one.texts) for one in batch]
                results = self._trial.vary(variants, tests, others, self._limit)
            except TrialEnded:
                break
            for one, (good, bad) in zip(batch, results, strict=True):
                if good and not bad:
                    began = began if out else self._trial.seconds_left
                    out.append(one)
        return out

    def _together(self, candidates: Sequence[Candidate], tests: Sequence[Test]) -> list[Candidate]:
        """Repairs of single tests, put together so that all of them pass: as few as can be."""
        of_tests: dict[Test, list[Candidate]] = {}
        ranked = sorted(candidates, key=lambda one: -one.weight * self._alone(one))
        for at, test in enumerate(tests):
            seconds = self._trial.seconds_left / (len(tests) - at + 1)
            of_tests[test] = self._passing(ranked, [test], seconds)[:_OF_ONE_TEST]
        single = {str(one.texts): one for found in of_tests.values() for one in found}
        for count in range(1, min(len(single), _MOST_TOGETHER) + 1):
            joined = (self._joined(chosen) for chosen in combinations(single.values(), count))
            ranked = sorted((one for one in joined if one is not None), key=lambda one: -one.weight)
            out = self._passing(ranked, tests, self._trial.seconds_left)
            if out:
                return out
        return self._apart(of_tests)

    def _alone(self, one: Candidate) -> float:
        """How much more it speaks for a candidate that one failing test runs it than that some do."""
        failing = [outcome for outcome in self._failing.tests.values() if _runs(outcome, one)]
        passing = [outcome for outcome in self._failing.passing.values() if _runs(outcome, one)]
        if not one.function[0] or not failing:
            return 1.0
        some = len(failing) / math.sqrt(len(self._failing.tests) * (len(failing) + len(passing)))
        return 1 / math.sqrt(1 + len(passing)) / some

    def _apart(self, of_tests: Mapping[Test, Sequence[Candidate]]) -> list[Candidate]:
        """The likeliest repairs of tests whose cause is in functions that no other failing test runs: what
        else fails has another cause."""
        for test, found in of_tests.items():
            others = [outcome for one, outcome in self._failing.tests.items() if one != test]
            own = [one for one in found if one.function[0] and not any(_runs(other, one) for other in others)]
            if own:
                self._failing.left = [one for one in self._failing.tests if one != test]
                return own
        return []

    def _joined(self, several: tuple[Candidate, ...]) -> Candidate | None:
        texts = self._texts(several)
        weight = math.prod(one.weight for one in several)
        return Candidate(weight, texts, several=several) if texts is not None else None

    def _texts(self, several: Sequence[Candidate]) -> dict[str, str] | None:
        """The texts of files with several repairs; None where two change the same line."""
        lines: dict[str, list[str]] = {}
        above = Lines("", 0, 0, "")
        for part in last_first(self._repo, several):
            if part.path == above.path and part.last >= above.first:
                return None
            source = self._repo.index.source(part.path)
            lines.setdefault(part.path, list(source.lines))[part.first - 1 : part.last] = [part.text]
            above = part
        return {path: "".join(found) for path, found in lines.items()}

    def _is_run(self, one: Candidate, test: Test) -> bool:
        """Whether a test runs a line of the function that a candidate changes."""
        return not one.function[0] or _runs(self._failing.tests[test], one)

    def _variant(self, texts: Mapping[str, str]) -> dict[str, str]:
        modules = self._repo.index.modules
        return {name: text for path, text in texts.items() for name in modules.names(path)}


def _runs(outcome: Outcome, one: Candidate) -> bool:
    """Whether a test ran a line of the function that a candidate changes."""
    path, first, last = one.function
    return any(first <= line <= last for line in outcome.lines.get(path, ()))


def last_first(repo: Repository, repairs: Sequence[Candidate]) -> list[Lines]:
    """The lines that repairs change, those that stand last first."""
    parts = [
        lines_changed(repo.index.source(path), text) for one in repairs for path, text in one.texts.items()
    ]
    return sorted(parts, key=lambda one: (one.path, -one.first))


def lines_changed(source: Source, text: str) -> Lines:
    """The lines that a new text of a file changes; a line that only goes is taken with the next."""
    old, new = source.lines, Source(text).lines
    first, behind = same_ends(old, new)
    while not "".join(new[first : len(new) - behind]).strip() or len(old) - behind <= first:
        behind, first = (behind - 1, first) if behind else (behind, first - 1)
    return Lines(source.path, first + 1, len(old) - behind, "".join(new[first : len(new) - behind]))
