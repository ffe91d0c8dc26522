"""Fits the weights of `next_edit/confidence.toml`: one logistic regression for each group of candidates."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spark_tui.bench.next_replay import after_changes, repository, sampled, verdicts
from spark_tui.bench.release_changes import Place
from spark_tui.bench.release_pairs import History
from spark_tui.next_edit.candidates import Features, candidates
from spark_tui.next_edit.confidence import share_of
from spark_tui.pysource.repository import Repository

_MOST_JUDGED = 80
_PENALTIES = (4.0, 12.0)
_ROUNDS = 60
_FOLDS = 10
_WANTED = {"one": 0.90, "more": 0.95}
"""The share of right places of a group, in packages that its weights were not fitted on, with which it is
shown: after one example, and after more."""
_LEAST_PLACES = 15
_GIVEN_LEAST = {"rename": 0.7}
"""Where a name is typed over, the code is broken until its uses follow: shown from here on, whatever releases
did."""
_GIVEN = {
    "signature": {"least": 0.75, "bias": 2.0, "unfollowed": -0.7},
    "import": {"least": 0.75, "bias": 1.5},
}
"""Exact operations that are rare in releases: the code is broken until they are done."""
_HEAD = """\
# Weights by kind of change and number of examples, fitted by `spark bench next --part develop --fit FILE`.
# `least` is the confidence from which a candidate is shown.
"""


@dataclass(frozen=True)
class Sample:
    """A candidate, and how many of its places were right and wrong."""

    group: str
    features: Features
    right: int
    wrong: int


def fit_weights(histories: Iterable[History], rng: random.Random, most: int, file: Path) -> list[str]:
    """Write the weights; returns how many samples each group had."""
    samples = {history.name: list(_samples(history, rng, most)) for history in histories}
    file.write_text(as_toml(samples), encoding="utf-8")
    return [f"{name}: {len(found)} samples" for name, found in sorted(samples.items())]


def as_toml(samples: Mapping[str, Sequence[Sample]]) -> str:
    """The weights of all groups that are ever sure enough, from the samples of each history."""
    grouped: dict[str, list[tuple[int, Sample]]] = defaultdict(list)
    for number, name in enumerate(sorted(samples)):
        for one in samples[name]:
            grouped[one.group].append((number % _FOLDS, one))
    tables = dict(_GIVEN)
    for group, found in grouped.items():
        wanted = _WANTED.get(group.rpartition(" ")[2], _WANTED["more"])
        tried = (threshold(found, each, wanted) for each in _PENALTIES)
        penalty, least = max(tried, key=lambda each: each[2])[:2]
        least = _GIVEN_LEAST.get(group, least)
        if group not in tables and least < 1:
            tables[group] = {"least": least, **fitted([one for _, one in found], penalty)}
    parts = [_HEAD]
    for group, rows in sorted(tables.items()):
        lines = (f'"{name}" = {value:.3f}\n' for name, value in rows.items())
        parts.append(f'["{group}"]\n' + "".join(lines))
    return "\n".join(parts)


def _samples(history: History, rng: random.Random, most: int) -> Iterable[Sample]:
    groups, lone = sampled(history, rng, most)
    repo = repository(history)
    for group in groups:
        for count in (1, 2):
            yield from _judged(repo, history, group[:count], rng)
    for place in lone:
        # Where one definition takes the place of another, a name was replaced, and nothing was renamed.
        yield from (one for one in _judged(repo, history, [place], rng) if one.group != "rename")


def _judged(
    repo: Repository, history: History, made: Sequence[Place], rng: random.Random
) -> Iterable[Sample]:
    question, texts = after_changes(history.before, made)
    if question is None:
        return
    for one in candidates(question.situation(repo.with_changes(texts)), lambda: True):
        edits = one.edits if len(one.edits) <= _MOST_JUDGED else rng.sample(one.edits, _MOST_JUDGED)
        found = [verdict for _, verdict in verdicts(edits, texts, history)]
        if found.count("right") + found.count("wrong"):
            yield Sample(one.group, one.features, found.count("right"), found.count("wrong"))


def threshold(found: Sequence[tuple[int, Sample]], penalty: float, wanted: float) -> tuple[float, float, int]:
    """The penalty, the least confidence with which enough is right where a fold was left out, and how many
    places are shown then. A confidence of 1: never."""
    judged: list[tuple[float, Sample]] = []
    for fold in range(_FOLDS):
        left_out = [one for number, one in found if number == fold]
        rest = [one for number, one in found if number != fold]
        if left_out and rest:
            weights = fitted(rest, penalty)
            judged += [(share_of(weights, one.features), one) for one in left_out]
    least, most, right, total = 1.0, 0, 0, 0
    for sure, one in sorted(judged, key=lambda each: -each[0]):
        right, total = right + one.right, total + one.right + one.wrong
        if total >= _LEAST_PLACES and right >= wanted * total:
            least, most = sure, total
    return penalty, math.floor(least * 1000) / 1000, most


def fitted(samples: Sequence[Sample], penalty: float) -> dict[str, float]:
    """The weights of a logistic regression of the share of right places, with a penalty on large ones."""
    names = sorted({name for one in samples for name in one.features})
    x = np.array([[1.0, *(one.features.get(name, 0.0) for name in names)] for one in samples])
    total = np.array([one.right + one.wrong for one in samples], dtype=float)
    share = np.array([one.right for one in samples]) / total
    weight = 1 + np.log2(total)
    solved: NDArray[np.float64] = np.zeros(len(names) + 1)
    costs = np.r_[1e-6, np.full(len(names), penalty)]
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-np.clip(x @ solved, -30, 30)))
        slope = x.T @ (weight * (share - sure)) - costs * solved
        curve = (x * (weight * sure * (1 - sure))[:, None]).T @ x + np.diag(costs)
        step = np.linalg.solve(curve, slope)
        solved = solved + step
        if float(np.abs(step).max()) < 1e-6:
            break
    found = {"bias": float(solved[0])} | {
        name: float(value) for name, value in zip(names, solved[1:], strict=True)
    }
    return {name: value for name, value in found.items() if name == "bias" or math.fabs(value) >= 0.0005}
